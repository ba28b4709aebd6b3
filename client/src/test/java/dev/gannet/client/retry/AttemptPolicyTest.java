package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.retry.AttemptPolicy.Cause;
import dev.gannet.client.retry.AttemptPolicy.Failure;
import dev.gannet.client.retry.AttemptPolicy.History;
import dev.gannet.client.retry.AttemptPolicy.Next;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of gRFC A6: backoff, pushback, throttling. */
class AttemptPolicyTest {
  private static final Next FINISH = new Next.Finish();
  private static final Pushback NONE = new Pushback.None();
  private static final Fixed MIDDLE = new Fixed(0.5);

  /** Jitter that is always the same; 0.5 is none. */
  private record Fixed(double jitter) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }

    @Override
    public double nextDouble(double from, double to) {
      return from + jitter * (to - from);
    }
  }

  private static Failure failure(Status.Code code, Pushback pushback) {
    return new Failure(code.toStatus(), pushback, Cause.CLOSED);
  }

  private static Failure unavailable(Pushback pushback) {
    return failure(Status.Code.UNAVAILABLE, pushback);
  }

  private static AttemptPolicy.Retries retries(
      long initialMillis, long maxMillis, double multiplier) {
    RetryPolicy policy =
        RetryPolicy.of(50, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofMillis(initialMillis))
            .withMaxBackoff(Duration.ofMillis(maxMillis))
            .withBackoffMultiplier(multiplier);
    return new AttemptPolicy.Retries(policy, 50, new RetryThrottle(Optional.empty()));
  }

  private static long millis(Next next) {
    return Duration.ofNanos(((Next.Another) next).delayNanos()).toMillis();
  }

  @ParameterizedTest
  @CsvSource({
    // initial, max, multiplier, jitter; the first four waits in milliseconds
    "100, 1000, 2, 0.5, 100, 200, 400, 800",
    "100, 300, 2, 0.5, 100, 200, 300, 300",
    "100, 1000, 1, 0.5, 100, 100, 100, 100",
    "100, 1000, 0.5, 0.5, 100, 50, 25, 12",
    "500, 100, 2, 0.5, 100, 100, 100, 100",
    "100, 1000, 2, 0, 80, 160, 320, 640",
    "100, 300, 2, 1, 120, 240, 360, 360", // the jitter comes after the cap
    "1, 1000, 10, 0.5, 1, 10, 100, 1000",
  })
  void backoffsAreExactToTheMillisecond(
      long initial, long max, double multiplier, double jitter, long a, long b, long c, long d) {
    AttemptPolicy policy = retries(initial, max, multiplier);
    Fixed random = new Fixed(jitter);
    long[] expected = {a, b, c, d};
    for (int i = 0; i < expected.length; i++) {
      assertThat(millis(policy.afterFailure(unavailable(NONE), new History(i + 1, i), random)))
          .isEqualTo(expected[i]);
    }
  }

  @Test
  void backoffsStayInTheirRangeForAnyPolicy() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long initial = random.nextLong(1, 10_000);
      long max = random.nextLong(1, 100_000);
      double multiplier = random.nextDouble(0.1, 5);
      AttemptPolicy policy = retries(initial, max, multiplier);
      double wait = initial;
      for (int attempts = 1; attempts < 20; attempts++) {
        double capped = Math.min(wait, (double) max);
        Next.Another next =
            (Next.Another)
                policy.afterFailure(unavailable(NONE), new History(attempts, attempts - 1), random);
        assertThat(next.delayNanos() / 1e6)
            .as("seed %d, attempt %d", seed, attempts)
            .isBetween(capped * 0.8 - 1e-3, capped * 1.2 + 1e-3);
        wait *= multiplier;
      }
    }
  }

  @Test
  void aPushbackDoesNotOverrideTheAttemptLimitOrTheRetryableCodes() {
    AttemptPolicy policy = retries(100, 100, 1);
    Pushback soon = new Pushback.After(7);
    Failure fatal = failure(Status.Code.INTERNAL, soon);
    Failure stopped = unavailable(new Pushback.Stop());
    assertThat(policy.afterFailure(unavailable(soon), new History(50, 0), MIDDLE))
        .isEqualTo(FINISH);
    assertThat(policy.afterFailure(fatal, new History(1, 0), MIDDLE)).isEqualTo(FINISH);
    assertThat(policy.afterFailure(stopped, new History(1, 0), MIDDLE)).isEqualTo(FINISH);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1", "3, 0.1", "10, 0.546", "1000, 1", "7, 100"})
  void tokensFollowTheRuleOfA6(int maxTokens, double ratio) {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RetryThrottle throttle = new RetryThrottle(Optional.of(RetryThrottling.of(maxTokens, ratio)));
      long tokens = maxTokens * 1000L;
      for (int i = 0; i < 2_500; i++) {
        if (random.nextInt(3) == 0) {
          throttle.onSuccess();
          tokens = Math.min(maxTokens * 1000L, tokens + Math.round(ratio * 1000));
        } else {
          tokens = Math.max(0, tokens - 1000);
          assertThat(throttle.onFailure())
              .as("seed %d", seed)
              .isEqualTo(tokens * 2 > maxTokens * 1000L);
        }
        assertThat(throttle.isOpen()).as("seed %d", seed).isEqualTo(tokens * 2 > maxTokens * 1000L);
      }
    }
  }

  @Test
  void failuresThatCannotBeRetriedTakeNoTokens() {
    RetryThrottle throttle = new RetryThrottle(Optional.of(RetryThrottling.of(2, 1)));
    RetryPolicy policy = RetryingCallTest.policy(3);
    AttemptPolicy retries = new AttemptPolicy.Retries(policy, 5, throttle);
    retries.afterFailure(failure(Status.Code.INTERNAL, NONE), new History(1, 0), MIDDLE);
    retries.countFailure(failure(Status.Code.INTERNAL, NONE));
    assertThat(throttle.isOpen()).isTrue();
    retries.countFailure(failure(Status.Code.INTERNAL, new Pushback.Stop()));
    assertThat(throttle.isOpen()).isFalse();
    throttle.onSuccess();
    assertThat(throttle.isOpen()).isTrue();
    retries.countFailure(unavailable(NONE));
    assertThat(throttle.isOpen()).isFalse();
  }

  @Test
  void anAttemptWithoutAResponseInTimeIsRetriedWhateverItsStatus() {
    AttemptPolicy policy = retries(100, 100, 1);
    Status late = Status.DEADLINE_EXCEEDED;
    assertThat(policy.isRetryable(new Failure(late, NONE, Cause.CLOSED))).isFalse();
    assertThat(policy.isRetryable(new Failure(late, NONE, Cause.RECEIVE_TIMEOUT))).isTrue();
  }

  @Test
  void severalPushbacksForbidARetry() {
    Metadata trailers = new Metadata();
    assertThat(Pushback.of(trailers)).isEqualTo(NONE);
    trailers.add(Pushback.KEY, "5");
    assertThat(Pushback.of(trailers)).isEqualTo(new Pushback.After(5));
    trailers.add(Pushback.KEY, "5");
    assertThat(Pushback.of(trailers)).isEqualTo(new Pushback.Stop());
  }
}
