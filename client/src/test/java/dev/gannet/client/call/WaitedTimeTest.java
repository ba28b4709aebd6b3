package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Waits that overlap count once. */
final class WaitedTimeTest {
  private static long resolver(long from, long to) {
    return Math.max(0, Math.min(to, 10) - from); // addresses were there at 10
  }

  private static WaitedTime first(long since, long now) {
    return WaitedTime.first(
        since, now, new WaitedTime.Purpose.Connection(WaitedTimeTest::resolver));
  }

  private static WaitedTime and(WaitedTime before, long since, long now) {
    return before.and(since, now, new WaitedTime.Purpose.Connection(WaitedTimeTest::resolver));
  }

  @Test
  void theTimeForAddressesIsCountedApart() {
    WaitedTime waited = first(4, 30);
    assertThat(waited.times().resolverNanos()).isEqualTo(6);
    assertThat(waited.times().queueNanos()).isEqualTo(20);
  }

  @Test
  void waitsOneAfterTheOtherAreAddedUp() {
    WaitedTime waited = and(first(20, 30), 50, 55);
    assertThat(waited.times().queueNanos()).isEqualTo(15);
    assertThat(and(waited, 55, 60).times().queueNanos()).isEqualTo(20);
  }

  @Test
  void waitsInParallelCountOnce() {
    WaitedTime waited = and(and(first(40, 60), 20, 60), 30, 60);
    assertThat(waited.times().queueNanos()).isEqualTo(40);
    assertThat(and(waited, 50, 70).times().queueNanos()).isEqualTo(50);
  }

  @Test
  void aWaitAroundTwoOthersAddsOnlyTheRest() {
    WaitedTime waited = and(and(first(21, 22), 25, 26), 20, 29);
    assertThat(waited.times().queueNanos()).isEqualTo(9);
    assertThat(and(waited, 28, 30).times().queueNanos()).isEqualTo(10);
  }

  @Test
  void aWaitForCredentialsInParallelCountsOnceToo() {
    WaitedTime waited = and(WaitedTime.first(40, 60, new WaitedTime.Purpose.Credentials()), 30, 70);
    assertThat(waited.times()).isEqualTo(new WaitedTime.Times(0, 20, 20));
  }
}
