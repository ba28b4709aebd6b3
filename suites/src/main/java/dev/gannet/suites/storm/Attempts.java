package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.LearntDelay;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How often the channels of a storm may have a call served.
 *
 * @param receiveTimeout how long an attempt may take until its response begins
 * @param throttling how many failures stop further attempts
 */
record Attempts(
    Kind kind, Optional<Duration> receiveTimeout, Optional<RetryThrottling> throttling) {
  /** How attempts follow each other. */
  enum Kind {
    /** There is one. */
    ONE,
    /** Again when an attempt has failed. */
    RETRIED,
    /** Again while an attempt is under way. */
    HEDGED
  }

  /** The most that a call may have, whatever its policy. */
  static final int MAX = 5;

  private static final List<Integer> BUFFER_BYTES = List.of(100, 5_000, 1 << 20);
  private static final int MAX_WAIT_MILLIS = 300;

  /** Longer than a call takes that nothing disturbs. */
  private static final int LEAST_TIMEOUT_MILLIS = 500;

  private static final int MOST_TOKENS = 10;

  /** So few that the delay is learnt in a storm. */
  private static final int LEAST_CALLS = 10;

  static Attempts random(Odds odds) {
    Kind kind =
        switch (odds.below(4)) {
          case 0 -> Kind.RETRIED;
          case 1 -> Kind.HEDGED;
          default -> Kind.ONE;
        };
    Optional<RetryThrottling> throttling =
        odds.oneIn(3)
            ? Optional.of(RetryThrottling.of(1 + odds.below(MOST_TOKENS), odds.oneIn(2) ? 1 : 0.1))
            : Optional.empty();
    boolean timed = kind == Kind.RETRIED && odds.oneIn(2);
    return new Attempts(
        kind,
        timed
            ? Optional.of(Duration.ofMillis(LEAST_TIMEOUT_MILLIS + odds.below(1_500)))
            : Optional.empty(),
        throttling);
  }

  void applyTo(ManagedChannelBuilder builder, Odds odds) {
    if (kind == Kind.ONE && throttling.isEmpty()) {
      return;
    }
    ServiceConfig.Builder config = ServiceConfig.builder();
    throttling.ifPresent(config::retryThrottling);
    switch (kind) {
      case ONE -> {}
      case RETRIED ->
          config.forAllMethods(MethodConfig.builder().retryPolicy(retries(odds)).build());
      case HEDGED ->
          config.forAllMethods(MethodConfig.builder().hedgingPolicy(hedges(odds)).build());
    }
    builder.defaultServiceConfig(config.build()).retryBufferBytesPerCall(odds.oneOf(BUFFER_BYTES));
  }

  private RetryPolicy retries(Odds odds) {
    Set<Status.Code> retryable =
        odds.oneIn(2)
            ? Set.of(Status.Code.UNAVAILABLE)
            : Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.UNKNOWN);
    RetryPolicy policy =
        RetryPolicy.of(most(odds), retryable)
            .withInitialBackoff(Duration.ofMillis(1 + odds.below(MAX_WAIT_MILLIS)))
            .withMaxBackoff(Duration.ofMillis(MAX_WAIT_MILLIS))
            .withBackoffMultiplier(2);
    return receiveTimeout.isEmpty()
        ? policy
        : policy.withPerAttemptReceiveTimeout(receiveTimeout.get());
  }

  private static HedgingPolicy hedges(Odds odds) {
    HedgingPolicy policy =
        HedgingPolicy.of(most(odds))
            .withHedgingDelay(Duration.ofMillis(odds.below(MAX_WAIT_MILLIS)))
            .withNonFatalStatusCodes(
                odds.oneIn(2) ? Set.of() : Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED));
    return odds.oneIn(3)
        ? policy.withLearntHedgingDelay(LearntDelay.DEFAULT.withMinCalls(LEAST_CALLS))
        : policy;
  }

  private static int most(Odds odds) {
    return 2 + odds.below(MAX - 1);
  }
}
