package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Waits grow from one second to two minutes, a fifth more or less (gRPC's connection-backoff). */
final class BackoffTest {
  private final Backoff backoff = new Backoff();
  private final SplittableRandom random = new SplittableRandom(7);

  private void assertAbout(double seconds) {
    double waited = backoff.nextDelayNanos(random) / (double) Duration.ofSeconds(1).toNanos();
    assertThat(waited).isBetween(0.8 * seconds, 1.2 * seconds);
  }

  @Test
  void waitsGrowByThreeFifthsAndNoFurtherThanTwoMinutes() {
    for (double seconds = 1; seconds < 120; seconds *= 1.6) {
      assertAbout(seconds);
    }
    assertAbout(120);
    assertAbout(120);
  }

  @Test
  void aConnectionThatWasReadyBeginsAnew() {
    assertAbout(1);
    assertAbout(1.6);
    backoff.reset();
    assertAbout(1);
  }
}
