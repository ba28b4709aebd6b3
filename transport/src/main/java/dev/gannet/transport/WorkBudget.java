package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much work the connections of a process may ask for together beyond what the bytes that they
 * send pay for: bytes that compressed messages become, above {@value #FREE_RATIO} times what came,
 * and the time that messages took too long to be read, {@value #NANOS_PER_BYTE} ns as a byte.
 *
 * <p>It is a rate, and as much at once as comes in {@value #BURST_SECONDS} seconds. Who finds
 * nothing left reserves a little and waits until that comes; as each connection has one such
 * reservation at a time, they share the rate equally. By default it is one for all servers and
 * channels of a process. Safe for all threads, without a lock.
 */
public final class WorkBudget {
  /** Bytes that a compressed message may become for each that came, at no charge. */
  public static final int FREE_RATIO = 32;

  /** What time counts as. Inflating and parsing a byte takes one to some of it. */
  public static final int NANOS_PER_BYTE = 4;

  private static final int BURST_SECONDS = 4;
  private static final long BYTES_PER_SECOND_AND_PROCESSOR = 8 << 20;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final WorkBudget PROCESS =
      ofBytesPerSecond(BYTES_PER_SECOND_AND_PROCESSOR * Runtime.getRuntime().availableProcessors());

  /** No clock says that, and nothing was taken yet. */
  private static final long NOTHING_TAKEN = Long.MIN_VALUE;

  private final long bytesPerSecond;
  private final AtomicLong takenUntilNanos = new AtomicLong(NOTHING_TAKEN);

  private WorkBudget(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** The budget that all share who name none: 8 MiB a second for each processor. */
  public static WorkBudget ofProcess() {
    return PROCESS;
  }

  /**
   * A budget of its own.
   *
   * @param bytes what messages may become in a second, beyond what is free
   * @throws IllegalArgumentException if that is not positive
   */
  public static WorkBudget ofBytesPerSecond(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a work budget must be positive: " + bytes);
    }
    return new WorkBudget(bytes);
  }

  /** What messages may become in a second, beyond what is free. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Takes so much at once, if it is there.
   *
   * @param nowNanos by the clock that all its connections have
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
   * Takes so much ahead of what others will ask for.
   *
   * @return when it is there
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

  /** What was reserved is not wanted any more. */
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
