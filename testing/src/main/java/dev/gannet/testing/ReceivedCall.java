package dev.gannet.testing;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A call as a {@link FakeServer} received it. Safe for all threads.
 *
 * @param <Q> the request message
 */
public final class ReceivedCall<Q> {
  private final Metadata headers;
  private final Optional<Deadline> deadline;
  private final List<Q> requests = new CopyOnWriteArrayList<>();
  private volatile boolean cancelled;

  ReceivedCall(Metadata headers, Optional<Deadline> deadline) {
    this.headers = headers.copy();
    this.deadline = deadline;
  }

  void add(Q request) {
    requests.add(request);
  }

  void cancel() {
    cancelled = true;
  }

  /** The headers that the client sent. */
  public Metadata headers() {
    return headers.copy();
  }

  /** The deadline that the client sent. */
  public Optional<Deadline> deadline() {
    return deadline;
  }

  /** The requests that have arrived. */
  public List<Q> requests() {
    return List.copyOf(requests);
  }

  /** Whether the client has cancelled it, or its deadline has passed, before it was answered. */
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public String toString() {
    return "ReceivedCall(" + requests + ", headers " + headers.toStringWithValues() + ")";
  }
}
