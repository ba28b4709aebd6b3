package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a sample is taken, and when a window grows by it. */
final class BandwidthEstimatorTest {
  private static final int WINDOW = 1 << 20;
  private static final int LARGEST = 8 << 20;
  private static final long MILLI = 1_000_000;
  private static final long REST = 100 * MILLI;

  private final BandwidthEstimator estimator = new BandwidthEstimator(WINDOW, LARGEST, 0);
  private long now;

  /** Starts a sample in which that many bytes arrive before the answer comes. */
  private boolean samples(int bytes, long roundTripNanos) {
    now += roundTripNanos;
    int first = estimator.windowBytes() / 16;
    assertThat(estimator.onData(first, 0, now)).as("a sample begins").isTrue();
    long opaque = estimator.opaque();
    if (bytes > first) {
      assertThat(estimator.onData(bytes - first, 0, now)).isFalse();
    }
    now += roundTripNanos;
    assertThat(estimator.isAnswer(opaque)).isTrue();
    return estimator.onAnswer(0, now);
  }

  @Test
  void littleDataIsNotMeasured() {
    for (int i = 0; i < 300; i++) {
      assertThat(estimator.onData(200, 0, now)).isFalse();
    }
  }

  @Test
  void aWindowThatIsFilledInARoundTripGrows() {
    assertThat(samples(WINDOW, 10 * MILLI)).isTrue();
    assertThat(estimator.windowBytes()).isEqualTo(2 * WINDOW);
  }

  @Test
  void aWindowThatIsHalfFullGrows() {
    assertThat(samples(WINDOW / 2, 10 * MILLI)).isTrue();
    assertThat(estimator.windowBytes()).isEqualTo(2 * WINDOW);
  }

  @Test
  void aWindowThatIsNotFilledStays() {
    assertThat(samples(WINDOW / 2 - 1, 10 * MILLI)).isFalse();
    assertThat(estimator.windowBytes()).isEqualTo(WINDOW);
  }

  @Test
  void aWindowStopsGrowingWhenThroughputStopsGrowing() {
    assertThat(samples(WINDOW, 10 * MILLI)).isTrue();
    assertThat(samples(2 * WINDOW, 18 * MILLI)).isFalse();
    assertThat(estimator.windowBytes()).isEqualTo(2 * WINDOW);
  }

  @Test
  void aWindowGrowsToTheLargestAndIsMeasuredNoMore() {
    for (int window = WINDOW; window < LARGEST; window *= 2) {
      assertThat(samples(window, 10 * MILLI)).isTrue();
    }
    assertThat(estimator.windowBytes()).isEqualTo(LARGEST);
    assertThat(estimator.onData(LARGEST, 0, now + REST * 1000)).isFalse();
  }

  @Test
  void onlyOneSampleIsTakenAtATime() {
    assertThat(estimator.onData(WINDOW, 0, now)).isTrue();
    assertThat(estimator.onData(WINDOW, 0, now + 1000 * REST)).isFalse();
  }

  @Test
  void unsuccessfulSamplesBecomeRarer() {
    assertThat(samples(WINDOW / 4, MILLI)).isFalse();
    long rest = REST;
    for (int i = 0; i < 12; i++) {
      assertThat(estimator.onData(WINDOW, 0, now + rest - 3 * MILLI)).isFalse();
      now += rest;
      assertThat(samples(WINDOW / 4, MILLI)).isFalse();
      rest = Math.min(2 * rest, 128 * REST);
    }
  }

  @Test
  void onlyTheAnswerToTheCurrentSampleIsAccepted() {
    assertThat(estimator.isAnswer(estimator.opaque())).isFalse();
    assertThat(estimator.onData(WINDOW, 0, now)).isTrue();
    assertThat(estimator.isAnswer(estimator.opaque() + 1)).isFalse();
    assertThat(estimator.isAnswer(0)).isFalse();
    assertThat(estimator.isAnswer(estimator.opaque())).isTrue();
    estimator.onAnswer(0, now + MILLI);
    assertThat(estimator.isAnswer(estimator.opaque())).as("a second answer").isFalse();
  }

  @Test
  void aFixedWindowIsNeverMeasured() {
    BandwidthEstimator fixed = new BandwidthEstimator(WINDOW, 0, 0);
    assertThat(fixed.onData(LARGEST, 0, now + 1000 * REST)).isFalse();
  }

  @Test
  void unreadBytesDoNotCount() {
    assertThat(estimator.onData(WINDOW, 1000, now)).isTrue();
    assertThat(estimator.onAnswer(1000 + WINDOW, now + MILLI)).isFalse();
    now += REST;
    assertThat(estimator.onData(WINDOW, 1000 + WINDOW, now)).isTrue();
    assertThat(estimator.onAnswer(1000, now + MILLI)).isTrue();
    assertThat(estimator.windowBytes()).isEqualTo(2 * WINDOW);
  }
}
