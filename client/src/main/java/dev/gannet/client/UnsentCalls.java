package dev.gannet.client;

import dev.gannet.transport.pipe.PipeProvider;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Calls of one request that have a connection and a deadline, but have not sent their request yet.
 *
 * <p>Almost all send it at once, and from then on their connection watches the deadline; a timer
 * for each would cost more than the call. So each waits in a place here, and gets a timer only if
 * another needs the place, or if it still stands there when somebody looks, which is every 100 ms
 * while there are calls. Its deadline is so late by that at most. Safe for all threads.
 */
final class UnsentCalls {
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
  private static final int PLACE_BITS = 4;
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final PipeProvider pipes;
  private final AtomicReferenceArray<OutgoingCall<?, ?>> places =
      new AtomicReferenceArray<>(1 << PLACE_BITS);
  private final AtomicBoolean looking = new AtomicBoolean();

  UnsentCalls(PipeProvider pipes) {
    this.pipes = pipes;
  }

  /** The call has begun. On its caller's thread. */
  void add(OutgoingCall<?, ?> call) {
    OutgoingCall<?, ?> before = places.getAndSet(ownPlace(), call);
    if (before != null) {
      before.watchWhileUnsent();
    }
    if (!looking.getPlain() && looking.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    try {
      pipes.schedule(this::look, LOOK_NANOS);
    } catch (RejectedExecutionException e) {
      looking.set(false);
      throw e;
    }
  }

  /** The call's request is sent. Most are sent by the thread that began the call; others stay. */
  void remove(OutgoingCall<?, ?> call) {
    int place = ownPlace();
    if (places.getPlain(place) == call) {
      places.compareAndSet(place, call, null);
    }
  }

  private void look() {
    looking.set(false);
    for (int i = 0; i < places.length(); i++) {
      OutgoingCall<?, ?> call = places.getAndSet(i, null);
      if (call != null) {
        call.watchWhileUnsent();
      }
    }
  }

  private static int ownPlace() {
    return (int) ((Thread.currentThread().threadId() * MIX) >>> (Long.SIZE - PLACE_BITS));
  }
}
