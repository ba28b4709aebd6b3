package dev.gannet.examples.routeguide;

import dev.gannet.api.Status;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The route guide over a list of places. Safe for all threads. */
public final class MyRouteGuide implements RouteGuide {
  /** The maximum number of notes of a point. */
  public static final int MAX_NOTES = 100;

  private final List<Place> places;
  private final Map<Point, List<Note>> notes = new ConcurrentHashMap<>();

  /** A guide to these places. */
  public MyRouteGuide(List<Place> places) {
    this.places = List.copyOf(places);
  }

  @Override
  public Place getPlace(Point point) {
    return placeAt(point)
        .orElseThrow(() ->
            Status.NOT_FOUND
                .withDescription(
                    "no place %d m east, %d m north".formatted(point.getEast(), point.getNorth()))
                .asException());
  }

  @Override
  public void listPlaces(Rectangle area, Outgoing<Place> responses) {
    for (Place place : places) {
      if (isInside(place.getPoint(), area)) {
        responses.send(place); // blocks while the client does not read
      }
    }
  }

  @Override
  public RouteSummary recordRoute(Incoming<Point> points) {
    RouteSummary.Builder summary = RouteSummary.newBuilder();
    Optional<Point> before = Optional.empty();
    for (Point point : points) {
      summary.setPoints(summary.getPoints() + 1);
      if (placeAt(point).isPresent()) {
        summary.setPlaces(summary.getPlaces() + 1);
      }
      double step = before.map(it -> metresBetween(it, point)).orElse(0.0);
      summary.setMetres(summary.getMetres() + step);
      before = Optional.of(point);
    }
    return summary.build();
  }

  @Override
  public void chat(Incoming<Note> requests, Outgoing<Note> responses) {
    for (Note note : requests) {
      List<Note> there = notes.computeIfAbsent(note.getPoint(), it -> new CopyOnWriteArrayList<>());
      there.forEach(responses::send);
      if (there.size() == MAX_NOTES) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("a point has room for " + MAX_NOTES + " notes")
            .asException();
      }
      there.add(note);
    }
  }

  private Optional<Place> placeAt(Point point) {
    return places.stream().filter(it -> it.getPoint().equals(point)).findFirst();
  }

  private static boolean isInside(Point point, Rectangle area) {
    Point low = area.getSouthWest();
    Point high = area.getNorthEast();
    return point.getEast() >= low.getEast()
        && point.getEast() <= high.getEast()
        && point.getNorth() >= low.getNorth()
        && point.getNorth() <= high.getNorth();
  }

  private static double metresBetween(Point one, Point other) {
    return Math.hypot(
        (double) one.getEast() - other.getEast(), (double) one.getNorth() - other.getNorth());
  }
}
