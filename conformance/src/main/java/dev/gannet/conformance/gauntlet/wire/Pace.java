package dev.gannet.conformance.gauntlet.wire;

import java.util.concurrent.locks.LockSupport;

/**
 * How fast one attacker may send. So the offered attack is the same for every server, and other
 * programs of a shared machine can proceed. Not thread-safe.
 */
public final class Pace {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long SAVED_NANOS = 50_000_000; // what a pause may add to a burst

  private final double nanosPerByte;
  private double dueNanos;

  /** At most this many bytes per second. */
  public Pace(long bytesPerSecond) {
    nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
    dueNanos = System.nanoTime();
  }

  /** Waits until this many more bytes may be sent. */
  void take(int bytes) {
    double now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - SAVED_NANOS) + bytes * nanosPerByte;
    long aheadNanos = (long) (dueNanos - now);
    if (aheadNanos > 0) {
      LockSupport.parkNanos(aheadNanos);
    }
  }
}
