package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.LearntDelay;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.settings.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hedging delays that a channel learns from its calls. */
@Timeout(60)
class LearntDelayTest {
  private static final long MILLI = 1_000_000;
  private static final LearntDelay LEARNT = LearntDelay.DEFAULT.withMinCalls(20);
  private static final HedgingPolicy POLICY =
      HedgingPolicy.of(2)
          .withHedgingDelay(Duration.ofMillis(500))
          .withLearntHedgingDelay(LEARNT)
          .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE));

  private final TestChannel test = new TestChannel();

  private void connect(HedgingPolicy policy) {
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config(policy));
    test.connected();
  }

  private static ServiceConfig config(HedgingPolicy policy) {
    return ServiceConfig.builder()
        .forAllMethods(MethodConfig.builder().hedgingPolicy(policy).build())
        .build();
  }

  private List<? extends FakeStream<?>> streams() {
    return test.dial().transport.streams;
  }

  /** A call that is answered so much later, by its first attempt. */
  private void answeredAfter(Duration time) {
    int number = streams().size();
    TestCall call = test.call();
    test.advance(time);
    streams().get(number).answersHeaders();
    streams().get(number).answers("response");
    streams().get(number).endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  /** When the second attempt of a call begins. */
  private Duration delay() {
    int before = streams().size();
    TestCall call = test.call();
    Duration waited = Duration.ZERO;
    while (streams().size() < before + 2) {
      test.advance(Duration.ofMillis(1));
      waited = waited.plusMillis(1);
      assertThat(waited).isLessThan(Duration.ofMinutes(5));
    }
    call.call.cancel("seen");
    return waited;
  }

  @Test
  void theDelayIsTheStartValueUntilEnoughCallsAreMeasured() {
    connect(POLICY);
    for (int i = 0; i < 18; i++) { // and the one that connected
      answeredAfter(Duration.ofMillis(10));
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(500));
    answeredAfter(Duration.ofMillis(10));
    assertThat(delay()).isBetween(Duration.ofMillis(10), Duration.ofMillis(11));
  }

  @Test
  void theDefaultDelayHedgesOneCallInTwenty() {
    connect(POLICY);
    for (int i = 1; i <= 200; i++) {
      answeredAfter(Duration.ofMillis(i % 20 == 0 ? 400 : 20));
    }
    assertThat(delay()).isBetween(Duration.ofMillis(20), Duration.ofMillis(22));
  }

  @Test
  void aHigherPercentileHedgesFewerCalls() {
    connect(POLICY.withLearntHedgingDelay(LEARNT.withPercentile(99)));
    for (int i = 1; i <= 200; i++) {
      answeredAfter(Duration.ofMillis(i % 20 == 0 ? 400 : 20));
    }
    assertThat(delay()).isBetween(Duration.ofMillis(400), Duration.ofMillis(426));
  }

  @Test
  void theDelayFollowsAMethodThatBecomesSlow() {
    connect(POLICY);
    for (int i = 0; i < 1_000; i++) {
      answeredAfter(Duration.ofMillis(4));
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(5));
    for (int i = 0; i < 1_000; i++) {
      answeredAfter(Duration.ofMillis(80));
    }
    assertThat(delay()).isBetween(Duration.ofMillis(80), Duration.ofMillis(85));
    for (int i = 0; i < 5_000; i++) {
      answeredAfter(Duration.ofMillis(4));
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void anOvertakenFirstAttemptCountsWithItsTimeSoFar() {
    connect(POLICY.withHedgingDelay(Duration.ofMillis(1)));
    for (int i = 0; i < 30; i++) { // every second attempt is answered 49 ms after its begin
      int number = streams().size();
      test.call();
      test.advance(Duration.ofMillis(i < 20 ? 50 : 200));
      assertThat(streams()).hasSizeGreaterThan(number);
      streams().getLast().answersHeaders();
      streams().getLast().answers("response");
      streams().getLast().endsWith(Status.OK);
    }
    assertThat(delay()).isBetween(Duration.ofMillis(200), Duration.ofMillis(213));
  }

  @Test
  void failuresAreNotMeasured() {
    connect(POLICY);
    for (int i = 0; i < 50; i++) {
      int number = streams().size();
      test.call();
      streams().get(number).endsWith(Status.UNAVAILABLE);
      streams().get(number + 1).answersHeaders();
      streams().get(number + 1).answers("response"); // that of an attempt that is not the first
      streams().get(number + 1).endsWith(Status.OK);
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void theDelayStaysWithinItsBounds() {
    connect(
        POLICY.withLearntHedgingDelay(
            LEARNT.withBounds(Duration.ofMillis(30), Duration.ofMillis(60))));
    for (int i = 0; i < 50; i++) {
      answeredAfter(Duration.ofMillis(2));
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(30));
    for (int i = 0; i < 500; i++) {
      answeredAfter(Duration.ofMillis(400));
    }
    assertThat(delay()).isEqualTo(Duration.ofMillis(60));
  }

  private static MethodDescriptor<String, String> method(String name) {
    MethodDescriptor<String, String> like = TestChannel.UNARY;
    return MethodDescriptor.of(
        like.type(), name, like.requestMarshaller(), like.responseMarshaller());
  }

  @Test
  void learntDelaysOutliveANewConfig() {
    ActiveConfig before = new ActiveConfig(config(POLICY), RetrySettings.DEFAULT, Optional.empty());
    AttemptPolicy call = before.of(method("a/B")).attempts().orElseThrow();
    for (int i = 0; i < 50; i++) {
      call.onAnswer(7 * MILLI);
    }
    ActiveConfig after =
        new ActiveConfig(
            config(POLICY.withHedgingDelay(Duration.ofSeconds(9))),
            RetrySettings.DEFAULT,
            Optional.of(before));
    AttemptPolicy next = after.of(method("a/B")).attempts().orElseThrow();
    assertThat(next.hedgingDelayNanos().orElse(0)).isBetween(7 * MILLI, 8 * MILLI);
    AttemptPolicy another = after.of(method("a/C")).attempts().orElseThrow();
    assertThat(another.hedgingDelayNanos()).hasValue(9_000 * MILLI);
  }

  @Test
  void theNumberOfMeasuredMethodsIsLimited() {
    LearntDelays delays = new LearntDelays();
    for (int i = 0; i < LearntDelays.MAX_METHODS; i++) {
      assertThat(delays.of("a/M" + i, POLICY)).isPresent();
    }
    assertThat(delays.of("a/More", POLICY)).isEmpty();
    assertThat(delays.of("a/M0", POLICY)).isPresent();
    assertThat(delays.of("a/M0", HedgingPolicy.of(2))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {50, 90, 95, 99, 99.9})
  void aPercentileIsRightWithinASixteenth(double percentile) {
    SplittableRandom random = new SplittableRandom(7);
    long[] times = random.longs(1_000, 20_000, 50_000_000_000L).sorted().toArray();
    ResponseTimes measured = new ResponseTimes();
    for (long time : times) {
      measured.add(time);
    }
    double exact = times[(int) Math.ceil(times.length * percentile / 100) - 1];
    double found = measured.percentileNanos(percentile, 1).orElseThrow();
    assertThat(found / exact).isCloseTo(1.03, within(0.035));
  }

  @Test
  void timesOutsideTheRangeCountAsItsBounds() {
    ResponseTimes measured = new ResponseTimes();
    assertThat(measured.percentileNanos(50, 1)).isEqualTo(OptionalLong.empty());
    measured.add(-1);
    measured.add(0);
    assertThat(measured.percentileNanos(50, 1).orElseThrow()).isLessThan(10_000);
    ResponseTimes slow = new ResponseTimes();
    slow.add(Long.MAX_VALUE);
    assertThat(slow.percentileNanos(50, 1).orElseThrow())
        .isGreaterThan(Duration.ofMinutes(2).toNanos());
  }

  @Test
  void concurrentMeasurementsAreHardlyLost() throws InterruptedException {
    ResponseTimes measured = new ResponseTimes();
    CountDownLatch done = new CountDownLatch(4);
    for (int thread = 0; thread < 4; thread++) {
      Thread.ofPlatform()
          .start(() -> {
            for (int i = 0; i < 100_000; i++) {
              measured.add(i % 10 == 0 ? 100 * MILLI : MILLI);
            }
            done.countDown();
          });
    }
    done.await();
    assertThat(measured.percentileNanos(80, 300).orElseThrow()).isLessThan(2 * MILLI);
    assertThat(measured.percentileNanos(95, 300).orElseThrow()).isGreaterThan(99 * MILLI);
  }

  @Test
  void settingsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> LEARNT.withPercentile(49));
    assertThatIllegalArgumentException().isThrownBy(() -> LEARNT.withPercentile(100));
    assertThatIllegalArgumentException().isThrownBy(() -> LEARNT.withPercentile(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> LEARNT.withMinCalls(9));
    assertThatIllegalArgumentException().isThrownBy(() -> LEARNT.withMinCalls(301));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LEARNT.withBounds(Duration.ZERO, Duration.ofSeconds(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LEARNT.withBounds(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    assertThat(LEARNT)
        .isEqualTo(LearntDelay.DEFAULT.withMinCalls(20))
        .hasSameHashCodeAs(LearntDelay.DEFAULT.withMinCalls(20))
        .isNotEqualTo(LearntDelay.DEFAULT)
        .hasToString("LearntDelay[percentile=95.0, min=PT0.001S, max=PT10S, minCalls=20]");
    assertThat(POLICY).isNotEqualTo(POLICY.withLearntHedgingDelay(LearntDelay.DEFAULT));
    assertThat(POLICY.toString()).contains("learntHedgingDelay=LearntDelay[");
  }
}
