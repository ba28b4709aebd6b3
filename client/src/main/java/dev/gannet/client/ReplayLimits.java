package dev.gannet.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of their requests the calls of a channel may keep together for further attempts. Safe
 * for all threads.
 */
final class ReplayLimits {
  private final long callBytes;
  private final long channelBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  ReplayLimits(long callBytes, long channelBytes) {
    this.callBytes = callBytes;
    this.channelBytes = channelBytes;
  }

  /**
   * Takes that much for a call, which gives it back by {@link #release}; false if it is too much.
   *
   * @param held what the call has taken before
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

  /** What all calls hold now. */
  long usedBytes() {
    return usedBytes.get();
  }
}
