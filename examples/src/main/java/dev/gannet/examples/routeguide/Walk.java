package dev.gannet.examples.routeguide;

import dev.gannet.api.Channel;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls a route guide, once with each kind of call, in plain blocking code. */
public final class Walk {
  private final RouteGuideClient guide;

  /** A walk with the guide behind this channel. */
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

  /** A stream each way: sends notes, and returns the earlier notes. */
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
