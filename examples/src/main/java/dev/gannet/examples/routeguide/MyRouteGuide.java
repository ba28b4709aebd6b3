package dev.gannet.examples.routeguide;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The route guide over a list of places. Safe for all threads. */
public final class MyRouteGuide implements RouteGuide {
  /** The maximum number of notes of a point. */
  public static final int MAX_NOTES = 100;

  /** The maximum number of points that have notes. */
  public static final int MAX_POINTS = 1_000;

  private final List<Place> places;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Point, List<Note>> notes = new HashMap<>(); // guarded by the lock

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
      leave(note).forEach(responses::send);
    }
  }

  /** Adds a note, and returns the earlier ones of its point. */
  private List<Note> leave(Note note) {
    lock.lock();
    try {
      List<Note> there = notes.getOrDefault(note.getPoint(), List.of());
      if (there.size() == MAX_NOTES) {
        throw full("a point has room for " + MAX_NOTES + " notes");
      }
      if (there.isEmpty() && notes.size() == MAX_POINTS) {
        throw full("there is room for notes of " + MAX_POINTS + " points");
      }
      List<Note> more = new ArrayList<>(there);
      more.add(note);
      notes.put(note.getPoint(), more);
      return there;
    } finally {
      lock.unlock();
    }
  }

  private static StatusException full(String what) {
    return Status.RESOURCE_EXHAUSTED.withDescription(what).asException();
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
