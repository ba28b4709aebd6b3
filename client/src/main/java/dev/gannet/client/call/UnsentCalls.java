package dev.gannet.client.call;

import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Calls with a single request that have started and not sent it yet: their connection, if they have
 * one, does not know them and does not watch their deadline.
 *
 * <p>Almost all send it at once; a timer and an entry in a set for each would cost more than the
 * call. So each call waits in a place here, and gets both only if another call needs the place, or
 * if it is still there at the next check, every 100 ms while there are calls. So its deadline may
 * be late by up to that time. Safe for all threads.
 */
final class UnsentCalls {
  private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();
  private static final int PLACE_BITS = 4;

  /**
   * Places are in separate cache lines, because the threads of a channel change them all the time.
   */
  private static final int STRIDE_BITS = 4;

  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final Scheduler scheduler;
  private final AtomicReferenceArray<OutgoingCall<?, ?>> places =
      new AtomicReferenceArray<>(1 << (PLACE_BITS + STRIDE_BITS));
  private final Set<OutgoingCall<?, ?>> displaced = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean checkScheduled = new AtomicBoolean();

  UnsentCalls(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * The call has started. Called on its caller's thread.
   *
   * @throws RejectedExecutionException if it has a deadline, and no timer can be set
   */
  void add(OutgoingCall<?, ?> call) {
    OutgoingCall<?, ?> before = places.getAndSet(ownPlace(), call);
    if (before != null) {
      displace(before);
    }
    if (!checkScheduled.getPlain() && checkScheduled.compareAndSet(false, true)) {
      scheduleCheck(call);
    }
  }

  private void scheduleCheck(OutgoingCall<?, ?> first) {
    try {
      scheduler.schedule(this::check, CHECK_NANOS);
    } catch (RuntimeException | Error e) {
      checkScheduled.set(false);
      if (first.hasDeadline()) {
        throw e;
      }
    }
  }

  /**
   * The call's request was sent. Usually by the thread that started the call; otherwise its place
   * is freed by the next check.
   */
  void remove(OutgoingCall<?, ?> call) {
    int place = ownPlace();
    if (places.getPlain(place) != call || !places.compareAndSet(place, call, null)) {
      forget(call);
    }
  }

  /** The call has ended; if it is in a place, the next check frees it. */
  void forget(OutgoingCall<?, ?> call) {
    if (call.isDisplaced()) {
      displaced.remove(call);
    }
  }

  /** Removes and returns all calls. */
  List<OutgoingCall<?, ?>> takeAll() {
    List<OutgoingCall<?, ?>> taken = takeFromPlaces();
    taken.addAll(displaced);
    taken.forEach(displaced::remove);
    return taken;
  }

  private List<OutgoingCall<?, ?>> takeFromPlaces() {
    List<OutgoingCall<?, ?>> taken = new ArrayList<>();
    for (int i = 0; i < places.length(); i += 1 << STRIDE_BITS) {
      OutgoingCall<?, ?> call = places.getAndSet(i, null);
      if (call != null) {
        taken.add(call);
      }
    }
    return taken;
  }

  private void check() {
    checkScheduled.set(false);
    takeFromPlaces().forEach(this::displace);
  }

  private void displace(OutgoingCall<?, ?> call) {
    // write-then-check with OutgoingCall.onEndAdded and markHalfClosed, which forget and remove it:
    // marked and added first, then isUnsent
    call.markDisplaced();
    displaced.add(call);
    if (call.isUnsent()) {
      call.watchWhileUnsent();
    } else {
      displaced.remove(call);
    }
  }

  private static int ownPlace() {
    long mixed = Thread.currentThread().threadId() * MIX;
    return (int) (mixed >>> (Long.SIZE - PLACE_BITS)) << STRIDE_BITS;
  }
}
