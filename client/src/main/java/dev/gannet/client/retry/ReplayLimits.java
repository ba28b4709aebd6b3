package dev.gannet.client.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for requests that the calls of a channel may keep together for further attempts. Safe
 * for all threads.
 *
 * <p>The first KiB of each call is not counted for the channel: it is less than the call itself
 * takes, and the threads of a channel would have to agree on the count twice for each small call.
 */
public final class ReplayLimits {
  /** What a call may keep without being counted for its channel. */
  static final long UNCOUNTED_BYTES = 1024;

  private final long callBytes;
  private final long channelBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  public ReplayLimits(long callBytes, long channelBytes) {
    this.callBytes = callBytes;
    this.channelBytes = channelBytes;
  }

  /** Whether a call that keeps nothing else may keep this much without reserving it. */
  public boolean isFree(long bytes) {
    return bytes <= UNCOUNTED_BYTES && bytes <= callBytes;
  }

  /**
   * Reserves memory for a call, which returns it by {@link #release}; returns false if it is too
   * much.
   *
   * @param held what the call has reserved before
   */
  boolean take(long bytes, long held) {
    if (bytes + held > callBytes) {
      return false;
    }
    long more = counted(held + bytes) - counted(held);
    if (more > 0 && usedBytes.addAndGet(more) > channelBytes) {
      usedBytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  /** Returns all that a call has reserved. */
  void release(long held) {
    long counted = counted(held);
    if (counted > 0) {
      usedBytes.addAndGet(-counted);
    }
  }

  private static long counted(long held) {
    return Math.max(0, held - UNCOUNTED_BYTES);
  }

  /** What is counted of that which all calls have reserved. */
  long usedBytes() {
    return usedBytes.get();
  }
}
