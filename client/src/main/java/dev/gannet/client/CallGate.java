package dev.gannet.client;

import dev.gannet.api.Status;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts a channel's calls, admits them until the channel is shut down, and detects when the last
 * of them has ended. Safe for all threads.
 *
 * <p>Write-then-check: a call is counted, then checks whether the channel is shut down; the thread
 * that shuts it down counts afterwards, and so does the thread that ends the last call.
 *
 * <p>Two counts that only grow avoid contention for a single one. The number of ended calls is read
 * first. If the number of begun calls, which is read afterwards, is the same, there was a moment
 * without calls.
 */
final class CallGate {
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final ChannelLifecycle lifecycle;

  CallGate(ChannelLifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  /**
   * Admits a call, which {@linkplain #leave leaves} once; or returns the reason for not admitting
   * it.
   */
  Optional<Status> enter() {
    begun.increment();
    // write-then-check with isEmptyForGood: begun first, then the phase
    Optional<Status> refusal = lifecycle.refusal();
    if (refusal.isPresent()) {
      refused.increment();
      leave();
    }
    return refusal;
  }

  /** A call ends before it asks to be admitted. */
  void refuse() {
    begun.increment();
    refused.increment();
    leave();
  }

  /** Whether no more calls are admitted. */
  boolean isShutDown() {
    return lifecycle.isShutDown();
  }

  void leave() {
    ended.increment();
  }

  /** Whether the channel is shut down, there is no call, and none will follow. */
  boolean isEmptyForGood() {
    if (!isShutDown()) { // write-then-check with enter: the phase first, then begun
      return false;
    }
    long left = ended.sum(); // before begun: the other order misses calls
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

  /** How many calls were not admitted so far. */
  long refused() {
    return refused.sum();
  }

  /** How many calls have begun so far; empty while one of them is running. */
  OptionalLong begunIfEmpty() {
    long left = ended.sum(); // in this order, so no call is missed
    long all = begun.sum();
    return all == left ? OptionalLong.of(all) : OptionalLong.empty();
  }
}
