package dev.gannet.client.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for requests that the calls of a channel may keep together for further attempts. Safe
 * for all threads.
 */
public final class ReplayLimits {
  private final long callBytes;
  private final long channelBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  public ReplayLimits(long callBytes, long channelBytes) {
    this.callBytes = callBytes;
    this.channelBytes = channelBytes;
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
    if (usedBytes.addAndGet(bytes) > channelBytes) {
      usedBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /** The memory that all calls have reserved. */
  long usedBytes() {
    return usedBytes.get();
  }
}
