package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.StatusException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;

/** The requests of one call, read by its handler. */
final class StreamedRequests<Q> implements Incoming<Q> {
  private final ServerCall<Q, ?> call;
  private final MessageQueue<Q> messages;
  private volatile boolean ended;
  private boolean closed;

  StreamedRequests(ServerCall<Q, ?> call) {
    this.call = call;
    this.messages = new MessageQueue<>(call::request);
  }

  void add(Q message) {
    messages.add(message);
  }

  void end() {
    ended = true;
  }

  @Override
  public boolean hasNext() {
    if (closed) {
      return false;
    }
    if (messages.isEmpty()) {
      messages.beginWait(call.method());
      try {
        messages.requestMore();
        Waiting.until(call, () -> !messages.isEmpty() || ended);
      } finally {
        messages.endWait();
      }
    }
    return hasArrived();
  }

  @Override
  public boolean hasNext(Duration timeout) throws TimeoutException {
    if (closed) {
      return false;
    }
    if (messages.isEmpty()) {
      messages.beginWait(call.method());
      try {
        await(timeout);
      } finally {
        messages.endWait();
      }
    }
    return hasArrived();
  }

  private void await(Duration timeout) throws TimeoutException {
    messages.requestMore();
    long endNanos = System.nanoTime() + Waiting.nanos(timeout);
    Waiting.until(call, () -> !messages.isEmpty() || ended, timeout);
    boolean late = System.nanoTime() - endNanos >= 0; // else the call was answered
    if (late && messages.isEmpty() && !ended && !call.isCancelled()) {
      throw Waiting.timeout("request of " + call.method().fullMethodName(), timeout);
    }
  }

  private boolean hasArrived() {
    if (messages.isEmpty() && (call.isCancelled() || !ended)) {
      throw over();
    }
    return !messages.isEmpty();
  }

  @Override
  public Q next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the stream has ended");
    }
    return messages.poll().orElseThrow();
  }

  @Override
  public void close() {
    closed = true;
  }

  private StatusException over() {
    return Waiting.ended(call, "the call ended before the client's half-close").asException();
  }
}
