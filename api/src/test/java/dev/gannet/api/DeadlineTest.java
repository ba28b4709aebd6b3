package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.engine.DeadlineAccess;
import dev.gannet.api.engine.EngineAccess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Which of two deadlines is the earlier one, and which are equal. */
final class DeadlineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicLong nowNanos = new AtomicLong();
  private final LongSupplier ticker = nowNanos::get;

  /** A ticker whose origin is ten years before that of the other one. */
  @SuppressWarnings("UnnecessaryLambda") // tickers are the same only if they are one object
  private final LongSupplier older = () -> nowNanos.get() + Duration.ofDays(3650).toNanos();

  @Test
  void theEarlierOfTwoIsTheOneWithLessTimeLeftEvenIfTheirTickersDiffer() {
    Deadline soon = Deadline.after(SECOND, older);
    Deadline late = Deadline.after(MINUTE, ticker);
    assertThat(soon.min(late)).isSameAs(soon);
    assertThat(late.min(soon)).isSameAs(soon);
    assertThat(soon).isLessThan(late);
    assertThat(late).isGreaterThan(soon);
  }

  @Test
  void thereIsAnEarlierOneEvenIfATickerOverflowsBetweenThem() {
    nowNanos.set(Long.MAX_VALUE - SECOND.toNanos());
    Deadline soon = Deadline.after(SECOND, ticker);
    Deadline late = Deadline.after(MINUTE, ticker);
    assertThat(soon).isLessThan(late);
    assertThat(soon).isLessThan(Deadline.after(MINUTE, older));
  }

  @Test
  void aDeadlineHasItsTimeOnAnyClock() {
    Deadline deadline = Deadline.after(MINUTE, ticker);
    assertThat(deadline.atNanos(older)).isEqualTo(older.getAsLong() + MINUTE.toNanos());
    assertThat(deadline.atNanos(ticker)).isEqualTo(MINUTE.toNanos());
  }

  @Test
  void onItsOwnTickerNoClockIsReadForIt() {
    AtomicInteger read = new AtomicInteger();
    LongSupplier counting = () -> read.incrementAndGet();
    Deadline deadline = Deadline.after(MINUTE, counting);
    read.set(0);
    assertThat(deadline.atNanos(counting)).isEqualTo(deadline.atNanos());
    assertThat(read).hasValue(0);
  }

  @Test
  void theSystemsTickerIsThatOfDeadlinesWithoutOne() {
    Deadline deadline = Deadline.after(MINUTE);
    assertThat(deadline.atNanos(Deadline.systemTicker())).isEqualTo(deadline.atNanos());
    assertThat(Deadline.systemTicker()).isSameAs(Deadline.systemTicker());
  }

  @Test
  void deadlinesAreEqualIfTheyAreTheSameTimeOfTheSameTicker() {
    Deadline one = Deadline.after(MINUTE, ticker);
    nowNanos.addAndGet(SECOND.toNanos());
    Deadline other = Deadline.after(MINUTE.minus(SECOND), ticker);
    assertThat(other).isEqualTo(one).hasSameHashCodeAs(one).isEqualByComparingTo(one);
    assertThat(other)
        .isNotEqualTo(Deadline.after(MINUTE, ticker))
        .isNotEqualTo(Deadline.after(MINUTE.minus(SECOND), older));
    assertThat(CallOptions.DEFAULT.withDeadline(one))
        .isEqualTo(CallOptions.DEFAULT.withDeadline(other))
        .isNotEqualTo(CallOptions.DEFAULT.withDeadline(Deadline.after(MINUTE, ticker)));
  }

  /** A timeout that a service config sets for a call which has already started. */
  @Test
  void aTimeoutThatBeganEarlierIsWholeButLessOfItIsLeft() {
    DeadlineAccess access = EngineAccess.get(DeadlineAccess.class, Deadline.class);
    Deadline begun = (Deadline) access.begunEarlier(MINUTE, SECOND.toNanos(), ticker);
    assertThat(begun).isEqualTo(Deadline.after(MINUTE.minus(SECOND), ticker));
    assertThat(begun.timeout()).isEqualTo(MINUTE);
    Deadline passed = (Deadline) access.begunEarlier(SECOND, MINUTE.toNanos(), ticker);
    assertThat(passed.isExpired()).isTrue();
    assertThat(passed.timeout()).isEqualTo(SECOND);
  }
}
