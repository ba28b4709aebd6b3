package dev.gannet.conformance.styles;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Responses that one thread receives, for another one that waits for them. */
final class ResponseQueue<R> {
  private sealed interface Event<R> {
    record Message<R>(R message) implements Event<R> {}

    record End<R>(Optional<Throwable> failure) implements Event<R> {}
  }

  private final BlockingQueue<Event<R>> arrived = new LinkedBlockingQueue<>();
  private @Nullable Event<R> first;

  void add(R message) {
    arrived.add(new Event.Message<>(message));
  }

  void end() {
    arrived.add(new Event.End<>(Optional.empty()));
  }

  void fail(Throwable failure) {
    arrived.add(new Event.End<>(Optional.of(failure)));
  }

  /** Blocks until a message or the end is there. */
  boolean hasNext() {
    if (first == null) {
      try {
        first = arrived.take();
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
    return isMessage(first);
  }

  boolean hasNext(Duration timeout) throws TimeoutException {
    if (first == null) {
      try {
        first = arrived.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
    if (first == null) {
      throw new TimeoutException("no response within " + timeout);
    }
    return isMessage(first);
  }

  R next() {
    if (hasNext() && first instanceof Event.Message<R>(R message)) {
      first = null;
      return message;
    }
    throw new NoSuchElementException("the stream has ended");
  }

  private static boolean isMessage(Event<?> event) {
    return switch (event) {
      case Event.Message<?> message -> true;
      case Event.End<?>(Optional<Throwable> failure) -> {
        if (failure.isPresent()) {
          throw failure(failure.get());
        }
        yield false;
      }
    };
  }

  /** What a blocking client would throw for that. */
  static StatusException failure(Throwable thrown) {
    return switch (thrown) {
      case StatusException e -> e;
      case CompletionException e when e.getCause() != null -> failure(e.getCause());
      case ExecutionException e when e.getCause() != null -> failure(e.getCause());
      case CancellationException e -> Status.CANCELLED.withCause(e).asException();
      default -> Status.UNKNOWN.withCause(thrown).asException();
    };
  }

  private static StatusException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return Status.CANCELLED.withCause(e).asException();
  }
}
