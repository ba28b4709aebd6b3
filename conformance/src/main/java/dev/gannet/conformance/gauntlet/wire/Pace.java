package dev.gannet.conformance.gauntlet.wire;

import java.util.concurrent.locks.LockSupport;

/**
 * How fast one attacker may send. Makes the attack that is offered the same for every server, and
 * leaves something of a shared machine to the others. Of one thread.
 */
public final class Pace {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long SAVED_NANOS = 50_000_000; // what a pause may save up for a burst

  private final double nanosPerByte;
  private double dueNanos;

  /** At most this many bytes a second. */
  public Pace(long bytesPerSecond) {
    nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
    dueNanos = System.nanoTime();
  }

  /** Waits until that many bytes more may go out. */
  void take(int bytes) {
    double now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - SAVED_NANOS) + bytes * nanosPerByte;
    long aheadNanos = (long) (dueNanos - now);
    if (aheadNanos > 0) {
      LockSupport.parkNanos(aheadNanos);
    }
  }
}
