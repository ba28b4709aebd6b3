package dev.gannet.http2.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.Timeouts;
import dev.gannet.http2.time.DueTimes.Matter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One time for each matter, on clocks of any origin. */
final class DueTimesTest {
  @ParameterizedTest
  @ValueSource(longs = {0, -100, Long.MAX_VALUE - 5, Long.MAX_VALUE - 15, Long.MIN_VALUE})
  void theEarliestIsNext(long nowNanos) {
    DueTimes times = new DueTimes();
    assertThat(times.nextNanos()).isEqualTo(Timeouts.NEVER);
    times.set(Matter.STALL, nowNanos, 20);
    times.set(Matter.FRAME, nowNanos, 10);
    times.set(Matter.KEEPALIVE, nowNanos, 30);
    assertThat(times.nextNanos()).isEqualTo(nowNanos + 10);
    times.clear(Matter.FRAME);
    assertThat(times.nextNanos()).isEqualTo(nowNanos + 20);
    assertThat(times.isDue(Matter.STALL, nowNanos + 19)).isFalse();
    assertThat(times.isDue(Matter.STALL, nowNanos + 20)).isTrue();
    assertThat(times.isDue(Matter.FRAME, nowNanos + 20)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {Timeouts.FAR_NANOS, Timeouts.NEVER})
  void anEndlessWaitClearsTheTime(long waitNanos) {
    DueTimes times = new DueTimes();
    times.set(Matter.STALL, 5, 20);
    times.set(Matter.STALL, 5, waitNanos);
    assertThat(times.isSet(Matter.STALL)).isFalse();
    assertThat(times.nextNanos()).isEqualTo(Timeouts.NEVER);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 5})
  void neverIsLaterThanAnything(long nanos) {
    assertThat(Timeouts.earlier(nanos, Timeouts.NEVER)).isEqualTo(nanos);
    assertThat(Timeouts.earlier(Timeouts.NEVER, nanos)).isEqualTo(nanos);
    assertThat(Timeouts.earlier(Timeouts.NEVER, Timeouts.NEVER)).isEqualTo(Timeouts.NEVER);
  }
}
