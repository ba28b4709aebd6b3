package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** How often the channels of a storm may have a call served. */
enum Attempts {
  /** Once. */
  ONE,
  /** Again when an attempt has failed. */
  RETRIED,
  /** Again while an attempt is under way. */
  HEDGED;

  /** The most that a call may have, whatever its policy. */
  static final int MAX = 5;

  private static final List<Integer> BUFFER_BYTES = List.of(100, 5_000, 1 << 20);
  private static final int MAX_WAIT_MILLIS = 300;

  static Attempts random(Odds odds) {
    return switch (odds.below(4)) {
      case 0 -> RETRIED;
      case 1 -> HEDGED;
      default -> ONE;
    };
  }

  void applyTo(ManagedChannelBuilder builder, Odds odds) {
    if (this == ONE) {
      return;
    }
    MethodConfig.Builder methods = MethodConfig.builder();
    int most = 2 + odds.below(MAX - 1);
    if (this == RETRIED) {
      Duration firstBackoff = Duration.ofMillis(1 + odds.below(MAX_WAIT_MILLIS));
      Set<Status.Code> retryable =
          odds.oneIn(2)
              ? Set.of(Status.Code.UNAVAILABLE)
              : Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.UNKNOWN);
      methods.retryPolicy(
          RetryPolicy.of(most, retryable)
              .withInitialBackoff(firstBackoff)
              .withMaxBackoff(Duration.ofMillis(MAX_WAIT_MILLIS))
              .withBackoffMultiplier(2));
    } else {
      methods.hedgingPolicy(
          HedgingPolicy.of(most)
              .withHedgingDelay(Duration.ofMillis(odds.below(MAX_WAIT_MILLIS)))
              .withNonFatalStatusCodes(
                  odds.oneIn(2) ? Set.of() : Set.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED)));
    }
    builder
        .defaultServiceConfig(ServiceConfig.builder().forAllMethods(methods.build()).build())
        .retryBufferBytesPerCall(odds.oneOf(BUFFER_BYTES));
  }
}
