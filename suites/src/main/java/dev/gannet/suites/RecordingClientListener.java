package dev.gannet.suites;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps all that happens to one call, for tests to look at. Confined to the thread of the call's
 * executor, which in a simulation is the test's own.
 *
 * @param <R> the response message
 */
public final class RecordingClientListener<R> implements ClientCall.Listener<R> {
  /** What happened, in short. */
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

  /** A listener that has heard nothing yet. */
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

  /** Everything in its order. */
  public List<Event> events() {
    return List.copyOf(events);
  }

  /** The response headers, once they are there. */
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

  /** How often the end was told: once, if all is well. */
  public int closes() {
    return (int) events.stream().filter(event -> event == Event.CLOSE).count();
  }

  /**
   * How the call ended.
   *
   * @throws IllegalStateException if it has not
   */
  public Status status() {
    return status.orElseThrow(() -> new IllegalStateException("the call has not ended: " + events));
  }

  /** What came with the status; empty before. */
  public Metadata trailers() {
    return trailers;
  }
}
