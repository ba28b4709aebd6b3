package dev.gannet.suites;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records all events of one call for tests. Confined to the thread of the call's executor, which in
 * a simulation is the test's own.
 *
 * @param <R> the response message
 */
public final class RecordingClientListener<R> implements ClientCall.Listener<R> {
  /** The kinds of events. */
  public enum Event {
    HEADERS,
    MESSAGE,
    READY,
    CLOSE
  }

  private final List<Event> events = new ArrayList<>();
  private final List<R> messages = new ArrayList<>();
  private Optional<Metadata> headers = Optional.empty();
  private Optional<Status> status = Optional.empty();
  private Metadata trailers = new Metadata();

  /** A listener that has recorded nothing yet. */
  public RecordingClientListener() {}

  @Override
  public void onHeaders(Metadata headers) {
    events.add(Event.HEADERS);
    this.headers = Optional.of(headers);
  }

  @Override
  public void onMessage(R message) {
    events.add(Event.MESSAGE);
    messages.add(message);
  }

  @Override
  public void onReady() {
    events.add(Event.READY);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    events.add(Event.CLOSE);
    this.status = Optional.of(status);
    this.trailers = trailers;
  }

  /** All events in order. */
  public List<Event> events() {
    return List.copyOf(events);
  }

  /** The response headers, once they have arrived. */
  public Optional<Metadata> headers() {
    return headers;
  }

  /** The messages so far. */
  public List<R> messages() {
    return List.copyOf(messages);
  }

  /** Whether the call has ended. */
  public boolean isClosed() {
    return status.isPresent();
  }

  /** How often the end was reported: once, if everything is correct. */
  public int closes() {
    return (int) events.stream().filter(event -> event == Event.CLOSE).count();
  }

  /**
   * The status of the call.
   *
   * @throws IllegalStateException if it has not ended
   */
  public Status status() {
    return status.orElseThrow(() -> new IllegalStateException("the call has not ended: " + events));
  }

  /** The trailers; empty before the end. */
  public Metadata trailers() {
    return trailers;
  }
}
