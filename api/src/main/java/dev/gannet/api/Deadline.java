package dev.gannet.api;

import dev.gannet.api.engine.DeadlineAccess;
import dev.gannet.api.engine.EngineAccess;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A point in time after which a call is no longer worth finishing. Immutable.
 *
 * <p>A deadline is counted by its ticker; methods without one use {@link System#nanoTime}.
 * Deadlines with different tickers can be compared: the one with less {@linkplain #remainingNanos
 * time left} is the earlier one.
 */
public final class Deadline implements Comparable<Deadline> {
  private static final LongSupplier SYSTEM_TICKER = System::nanoTime;
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(100L * 365);

  static {
    // Lets a channel count a timeout that it learns late from the start of the call.
    // No lambda: the first call waits for it.
    EngineAccess.provide(DeadlineAccess.class, new Access());
  }

  private final long atNanos;
  private final long timeoutNanos;
  private final LongSupplier ticker;

  private Deadline(long nowNanos, long timeoutNanos, LongSupplier ticker) {
    this.atNanos = nowNanos + timeoutNanos;
    this.timeoutNanos = timeoutNanos;
    this.ticker = ticker;
  }

  private static final class Access implements DeadlineAccess {
    @Override
    public Deadline begunEarlier(Duration timeout, long sinceNanos, LongSupplier ticker) {
      return new Deadline(ticker.getAsLong() - sinceNanos, boundNanos(timeout), ticker);
    }
  }

  /**
   * The clock of deadlines without a ticker of their own: {@link System#nanoTime}. Always the same
   * object, so that two deadlines that were created with it have the same ticker.
   */
  public static LongSupplier systemTicker() {
    return SYSTEM_TICKER;
  }

  /** The deadline after this duration; more than a hundred years are reduced to a hundred. */
  public static Deadline after(Duration duration) {
    return after(duration, SYSTEM_TICKER);
  }

  /** Like {@link #after(Duration)}, with another clock that counts nanoseconds from any origin. */
  public static Deadline after(Duration duration, LongSupplier ticker) {
    return new Deadline(ticker.getAsLong(), boundNanos(duration), ticker);
  }

  private static long boundNanos(Duration duration) {
    return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), -MAX_NANOS, MAX_NANOS);
  }

  /** Nanoseconds left; negative once it has passed. */
  public long remainingNanos() {
    return atNanos - ticker.getAsLong();
  }

  /** Whether the point in time has been reached: no time {@linkplain #remainingNanos remains}. */
  public boolean isExpired() {
    return remainingNanos() <= 0;
  }

  /** The earlier of the two by {@link #compareTo}; this one if neither is earlier. */
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

  /**
   * Its time on another clock, in nanoseconds: {@link #atNanos()} if the clock is the deadline's
   * own ticker. Otherwise both clocks are read now, the deadline's first, so that the result is not
   * too early.
   */
  public long atNanos(LongSupplier clock) {
    if (clock.equals(ticker)) {
      return atNanos;
    }
    long remainingNanos = remainingNanos();
    return clock.getAsLong() + remainingNanos;
  }

  /**
   * Compares the times of two deadlines with the same ticker. If their tickers are different
   * objects, it compares the time that each has left now: an ordering that can change when one of
   * the tickers is faster or is moved.
   */
  @Override
  public int compareTo(Deadline other) {
    return ticker.equals(other.ticker)
        ? Long.signum(atNanos - other.atNanos)
        : Long.compare(remainingNanos(), other.remainingNanos());
  }

  /**
   * Whether both have the same ticker and the same time on it, whatever their {@link #timeout}.
   * Equal deadlines compare as 0. Two with the same ticker that compare as 0 are equal; two with
   * different tickers never are.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Deadline that && ticker.equals(that.ticker) && atNanos == that.atNanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(atNanos);
  }

  @Override
  public String toString() {
    return Duration.ofNanos(remainingNanos()) + " from now";
  }
}
