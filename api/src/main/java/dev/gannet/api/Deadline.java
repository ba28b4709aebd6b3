package dev.gannet.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A point in time after which a call is no longer worth finishing. Immutable.
 *
 * <p>Deadlines are only compared with those of the same ticker; all methods without a ticker use
 * {@link System#nanoTime}.
 */
public final class Deadline implements Comparable<Deadline> {
  private static final LongSupplier SYSTEM_TICKER = System::nanoTime;
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(100L * 365);

  private final long atNanos;
  private final long timeoutNanos;
  private final LongSupplier ticker;

  private Deadline(long nowNanos, long timeoutNanos, LongSupplier ticker) {
    this.atNanos = nowNanos + timeoutNanos;
    this.timeoutNanos = timeoutNanos;
    this.ticker = ticker;
  }

  /** The deadline after this duration; more than a hundred years are reduced to a hundred. */
  public static Deadline after(Duration duration) {
    return after(duration, SYSTEM_TICKER);
  }

  /** Like {@link #after(Duration)}, with another clock that counts nanoseconds from any origin. */
  public static Deadline after(Duration duration, LongSupplier ticker) {
    long nanos = TimeUnit.NANOSECONDS.convert(duration);
    long bound = Math.clamp(nanos, -MAX_NANOS, MAX_NANOS);
    return new Deadline(ticker.getAsLong(), bound, ticker);
  }

  /** Nanoseconds left; negative once it has passed. */
  public long remainingNanos() {
    return atNanos - ticker.getAsLong();
  }

  public boolean isExpired() {
    return remainingNanos() <= 0;
  }

  /** The earlier of the two. */
  public Deadline min(Deadline other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** The duration with which it was created; negative if it was already in the past. */
  public Duration timeout() {
    return Duration.ofNanos(timeoutNanos);
  }

  /** Its time on the deadline's own ticker, in nanoseconds. */
  public long atNanos() {
    return atNanos;
  }

  @Override
  public int compareTo(Deadline other) {
    return Long.signum(atNanos - other.atNanos);
  }

  @Override
  public String toString() {
    return Duration.ofNanos(remainingNanos()) + " from now";
  }
}
