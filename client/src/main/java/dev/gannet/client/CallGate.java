package dev.gannet.client;

import dev.gannet.api.Status;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Admits calls until the channel is shut down, and detects when the last of them has ended. Safe
 * for all threads.
 *
 * <pre>
 *   OPEN ──shut──► SHUT ──the last call leaves──► SHUT, and empty for good
 * </pre>
 *
 * <p>Two counts that only grow avoid contention for a single one. The number of ended calls is read
 * first. If the number of begun calls, which is read afterwards, is the same, there was a moment
 * without calls.
 */
final class CallGate {
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private volatile @Nullable Status refusal;

  /**
   * Admits a call, which {@linkplain #leave leaves} once; or returns the reason for not admitting
   * it.
   */
  Optional<Status> enter() {
    begun.increment();
    Status why = refusal;
    if (why != null) {
      leave();
    }
    return Optional.ofNullable(why);
  }

  void leave() {
    ended.increment();
  }

  /** Admits no more calls, for this reason. */
  void shut(Status why) {
    refusal = why;
  }

  /** Why no more calls are admitted, if that is so. */
  Optional<Status> refusal() {
    return Optional.ofNullable(refusal);
  }

  boolean isShut() {
    return refusal != null;
  }

  /** Whether there is no call, and none will follow. */
  boolean isShutAndEmpty() {
    if (!isShut()) {
      return false;
    }
    long left = ended.sum(); // read before the number of begun calls: the other order misses calls
    return begun.sum() == left;
  }

  /** The current number of calls; may change at any time. */
  long underWay() {
    long left = ended.sum(); // in this order, so never negative
    return begun.sum() - left;
  }

  /** How many calls have ended so far. */
  long ended() {
    return ended.sum();
  }

  /** How many calls have begun so far, including refused ones. */
  long begun() {
    return begun.sum();
  }

  /** How many calls have begun so far; empty while one of them is running. */
  OptionalLong begunIfEmpty() {
    long left = ended.sum(); // in this order, so no call is missed
    long all = begun.sum();
    return all == left ? OptionalLong.of(all) : OptionalLong.empty();
  }
}
