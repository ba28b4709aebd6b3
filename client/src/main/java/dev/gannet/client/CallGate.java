package dev.gannet.client;

import dev.gannet.api.Status;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls in until the channel is shut down, and knows when the last of them has ended. Safe for
 * all threads.
 *
 * <pre>
 *   OPEN ──shut──► SHUT ──the last call leaves──► SHUT, and empty for good
 * </pre>
 *
 * <p>Two counts that only grow, so that threads need not meet in one: as many ended as begun after
 * those were counted means that at some moment between there was no call.
 */
final class CallGate {
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private volatile @Nullable Status refusal;

  /** Lets a call in, which {@linkplain #leave leaves} once; or says why not. */
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

  /** Lets no more calls in, for that reason. */
  void shut(Status why) {
    refusal = why;
  }

  /** Why no more calls are let in, if that is so. */
  Optional<Status> refusal() {
    return Optional.ofNullable(refusal);
  }

  boolean isShut() {
    return refusal != null;
  }

  /** Whether there is no call, and none will be. */
  boolean isEmptyForGood() {
    if (!isShut()) {
      return false;
    }
    long left = ended.sum(); // before those that began: the other way round misses calls
    return begun.sum() == left;
  }

  /** How many calls are under way; a moment later there may be others. */
  long underWay() {
    long left = ended.sum(); // likewise: never negative
    return begun.sum() - left;
  }

  /** How many calls have ended so far. */
  long ended() {
    return ended.sum();
  }

  /** How many calls have begun so far, those that were refused among them. */
  long begun() {
    return begun.sum();
  }

  /** How many calls have begun so far; empty while one of them is under way. */
  OptionalLong begunIfEmpty() {
    long left = ended.sum(); // likewise
    long all = begun.sum();
    return all == left ? OptionalLong.of(all) : OptionalLong.empty();
  }
}
