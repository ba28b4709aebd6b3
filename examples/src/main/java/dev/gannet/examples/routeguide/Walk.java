package dev.gannet.examples.routeguide;

import dev.gannet.api.Channel;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a walker asks a route guide: a call of each kind, in plain blocking code. */
public final class Walk {
  private final RouteGuideClient guide;

  /** A walk with the guide behind that channel. */
  public Walk(Channel channel) {
    this.guide = RouteGuideClient.of(channel).withDeadline(Duration.ofSeconds(10));
  }

  /** One request, one response. */
  public String nameOf(Point point) {
    return guide.getPlace(point).getName();
  }

  /** One request, a stream of responses. */
  public List<String> namesWithin(Rectangle area) {
    List<String> names = new ArrayList<>();
    try (Incoming<Place> places = guide.listPlaces(area)) {
      for (Place place : places) {
        names.add(place.getName());
      }
    }
    return names;
  }

  /** A stream of requests, one response. */
  public RouteSummary along(List<Point> points) {
    try (ClientStreamingCall<Point, RouteSummary> call = guide.recordRoute()) {
      points.forEach(call::send);
      return call.finish();
    }
  }

  /** A stream each way: leaves notes, and gives those that were there. */
  public List<String> leave(List<Note> notes) {
    List<String> found = new ArrayList<>();
    try (BidiStreamingCall<Note, Note> call = guide.chat()) {
      notes.forEach(call::send);
      call.halfClose();
      for (Note note : call) {
        found.add(note.getText());
      }
    }
    return found;
  }
}
