package dev.gannet.api.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waits grow from one second to two minutes, a fifth more or less (gRPC's connection-backoff). */
final class BackoffTest {
  private final Backoff backoff = new Backoff();
  private final SplittableRandom random = new SplittableRandom(7);

  private void assertAbout(double seconds) {
    double waited = backoff.nextDelayNanos(random) / (double) Duration.ofSeconds(1).toNanos();
    assertThat(waited).isBetween(0.8 * seconds, 1.2 * seconds);
  }

  @Test
  void backoffsGrowByThreeFifthsUpToTwoMinutes() {
    for (double seconds = 1; seconds < 120; seconds *= 1.6) {
      assertAbout(seconds);
    }
    assertAbout(120);
    assertAbout(120);
  }

  @Test
  void aReadyConnectionResetsTheBackoff() {
    assertAbout(1);
    assertAbout(1.6);
    backoff.reset();
    assertAbout(1);
  }

  /** The table of connection-backoff, to the millisecond: the least and the most of each wait. */
  @ParameterizedTest
  @CsvSource({
    "1, 800, 1200",
    "2, 1280, 1920",
    "3, 2048, 3072",
    "4, 3276, 4915",
    "5, 5242, 7864",
    "6, 8388, 12582",
    "7, 13421, 20132",
    "8, 21474, 32212",
    "9, 34359, 51539",
    "10, 54975, 82463",
    "11, 87960, 131941",
    "12, 96000, 144000",
    "13, 96000, 144000"
  })
  void backoffsAreThoseOfTheTable(int failures, long leastMillis, long mostMillis) {
    assertThat(millisAfter(failures, () -> 0L)).isEqualTo(leastMillis);
    assertThat(millisAfter(failures, () -> -1L)).isBetween(mostMillis - 1, mostMillis);
  }

  private static long millisAfter(int failures, RandomGenerator chance) {
    Backoff own = new Backoff();
    long delayNanos = 0;
    for (int i = 0; i < failures; i++) {
      delayNanos = own.nextDelayNanos(chance);
    }
    return Duration.ofNanos(delayNanos).toMillis();
  }
}
