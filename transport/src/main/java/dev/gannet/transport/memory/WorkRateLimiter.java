package dev.gannet.transport.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much work the connections of a process may cause together, beyond the work that is
 * proportional to the bytes they send. Two things are charged: bytes of decompressed messages
 * beyond {@value #FREE_RATIO} times the bytes received, and the time by which parsing a message
 * takes too long, at {@value #NANOS_PER_BYTE} ns for a byte.
 *
 * <p>The budget is a rate, with a burst of what comes in {@value #BURST_SECONDS} seconds. A
 * connection that finds the budget used up reserves a small amount and waits until it is available;
 * each connection has one such reservation at a time, so they share the rate equally. By default
 * one budget serves all servers and channels of the process. Safe for all threads, without a lock.
 */
public final class WorkRateLimiter {
  /** The decompressed bytes per received byte that are free of charge. */
  public static final int FREE_RATIO = 32;

  /**
   * The time that counts as one byte. Inflating and parsing a byte takes between one nanosecond and
   * this.
   */
  public static final int NANOS_PER_BYTE = 4;

  private static final int BURST_SECONDS = 4;
  private static final long BYTES_PER_SECOND_AND_PROCESSOR = 8 << 20;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final WorkRateLimiter PROCESS =
      ofBytesPerSecond(BYTES_PER_SECOND_AND_PROCESSOR * Runtime.getRuntime().availableProcessors());

  /** Means that nothing was taken yet; no clock returns this value. */
  private static final long NOTHING_TAKEN = Long.MIN_VALUE;

  private final long bytesPerSecond;
  private final AtomicLong takenUntilNanos = new AtomicLong(NOTHING_TAKEN);

  private WorkRateLimiter(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * The budget of all servers and channels that name no other: 8 MiB a second for each processor.
   */
  public static WorkRateLimiter ofProcess() {
    return PROCESS;
  }

  /**
   * Creates a separate budget.
   *
   * @param bytes the number of decompressed bytes per second, beyond the free ones
   * @throws IllegalArgumentException if that is not positive
   */
  public static WorkRateLimiter ofBytesPerSecond(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a work budget must be positive: " + bytes);
    }
    return new WorkRateLimiter(bytes);
  }

  /** The number of decompressed bytes per second, beyond the free ones. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Takes this many bytes now, if they are available.
   *
   * @param nowNanos the time by the clock that all connections of the budget share
   */
  public boolean tryTake(long bytes, long nowNanos) {
    while (true) {
      long before = takenUntilNanos.get();
      long after = from(before, nowNanos) + nanosOf(bytes);
      if (after - nowNanos > 0) {
        return false;
      }
      if (takenUntilNanos.compareAndSet(before, after)) {
        return true;
      }
    }
  }

  /**
   * Takes this many bytes ahead of later requests.
   *
   * @return when they are available
   */
  public long reserve(long bytes, long nowNanos) {
    while (true) {
      long before = takenUntilNanos.get();
      long after = from(before, nowNanos) + nanosOf(bytes);
      if (takenUntilNanos.compareAndSet(before, after)) {
        return after;
      }
    }
  }

  /** Returns a reservation that is not needed any more. */
  public void giveBack(long bytes) {
    takenUntilNanos.addAndGet(-nanosOf(bytes));
  }

  private static long from(long before, long nowNanos) {
    long fullNanos = nowNanos - BURST_SECONDS * NANOS_PER_SECOND;
    return before == NOTHING_TAKEN || before - fullNanos < 0 ? fullNanos : before;
  }

  private long nanosOf(long bytes) {
    return (long) ((double) bytes * NANOS_PER_SECOND / bytesPerSecond);
  }
}
