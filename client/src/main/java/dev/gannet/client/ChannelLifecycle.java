package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.call.CallsWithoutStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The phase of a channel, and why it starts no more calls. Safe for all threads.
 *
 * <pre>
 *   Open ──shutDown, shutDownNow──► ShutDown ──close──► Closing ──terminate──► Terminated
 * </pre>
 *
 * <p>Phases only advance. A call reads phase and reason together, with one volatile read.
 */
final class ChannelLifecycle implements CallsWithoutStream.Owner {
  private sealed interface Phase {
    /** Calls are started. */
    record Open() implements Phase {}

    /** No call is started; those that were started before continue. */
    record ShutDown(Status reason) implements Phase {}

    /** No connection is made, and the only calls left are those that are being ended. */
    record Closing(Status reason) implements Phase {}

    /** All connections are closed. */
    record Terminated(Status reason) implements Phase {}
  }

  private final AtomicReference<Phase> phase = new AtomicReference<>(new Phase.Open());
  private final CountDownLatch terminated = new CountDownLatch(1);

  /** Starts no more calls, for this reason. Has no effect after the first time. */
  void shutDown(Status reason) {
    phase.updateAndGet(now -> now instanceof Phase.Open ? new Phase.ShutDown(reason) : now);
  }

  /** Starts no more calls and is going to end all calls; this reason replaces an earlier one. */
  void shutDownNow(Status reason) {
    phase.updateAndGet(now ->
        switch (now) {
          case Phase.Open() -> new Phase.ShutDown(reason);
          case Phase.ShutDown(Status earlier) -> new Phase.ShutDown(reason);
          case Phase.Closing(Status earlier) -> new Phase.Closing(reason);
          case Phase.Terminated end -> end;
        });
  }

  /**
   * Makes no more connections. Has no effect after the first time.
   *
   * @throws IllegalStateException if the channel was not shut down
   */
  void close() {
    phase.updateAndGet(now ->
        switch (now) {
          case Phase.Open open -> throw new IllegalStateException("the channel is not shut down");
          case Phase.ShutDown(Status reason) -> new Phase.Closing(reason);
          case Phase.Closing closing -> closing;
          case Phase.Terminated end -> end;
        });
  }

  /**
   * The last connection is closed. Has no effect after the first time.
   *
   * @throws IllegalStateException if the channel is not closing
   */
  void terminate() {
    phase.updateAndGet(now ->
        switch (now) {
          case Phase.Open open -> throw new IllegalStateException("the channel is not shut down");
          case Phase.ShutDown shut -> throw new IllegalStateException("the channel is not closing");
          case Phase.Closing(Status reason) -> new Phase.Terminated(reason);
          case Phase.Terminated end -> end;
        });
    terminated.countDown();
  }

  /** Why no more calls are started; empty while they are. */
  Optional<Status> refusal() {
    return reasonIn(phase.get());
  }

  private static Optional<Status> reasonIn(Phase now) {
    if (now instanceof Phase.Open) { // first, and without a switch: every call comes here
      return Optional.empty();
    }
    return switch (now) {
      case Phase.Open() -> Optional.empty();
      case Phase.ShutDown(Status reason) -> Optional.of(reason);
      case Phase.Closing(Status reason) -> Optional.of(reason);
      case Phase.Terminated(Status reason) -> Optional.of(reason);
    };
  }

  boolean isShutDown() {
    return !(phase.get() instanceof Phase.Open);
  }

  /** Whether it makes no more connections. */
  boolean isClosing() {
    return isClosing(phase.get());
  }

  @Override
  public Optional<Status> closingReason() {
    Phase now = phase.get();
    return isClosing(now) ? reasonIn(now) : Optional.empty();
  }

  private static boolean isClosing(Phase now) {
    return now instanceof Phase.Closing || now instanceof Phase.Terminated;
  }

  boolean isTerminated() {
    return phase.get() instanceof Phase.Terminated;
  }

  /** Blocks until it has terminated. */
  void awaitTermination() throws InterruptedException {
    terminated.await();
  }

  /** Blocks until it has terminated, with a timeout; returns whether it has. */
  boolean awaitTermination(Duration timeout) throws InterruptedException {
    return terminated.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
  }
}
