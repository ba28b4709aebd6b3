package dev.gannet.examples.retry;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.examples.greeter.GreeterMethods;
import java.time.Duration;

/** The retry policy of a channel to a greeter. */
public final class PatientChannel {
  /** The maximum number of attempts, including the first one. */
  public static final int MOST_ATTEMPTS = 4;

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);
  private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

  private PatientChannel() {}

  /**
   * Makes a channel retry {@code SayHello}. The other methods are not retried, because they may
   * have side effects.
   */
  public static ManagedChannelBuilder retrying(ManagedChannelBuilder builder) {
    return builder.defaultServiceConfig(config());
  }

  static ServiceConfig config() {
    RetryPolicy policy =
        RetryPolicy.of(MOST_ATTEMPTS, Status.Code.UNAVAILABLE)
            .withInitialBackoff(FIRST_BACKOFF)
            .withMaxBackoff(LONGEST_BACKOFF)
            .withBackoffMultiplier(2);
    return ServiceConfig.builder()
        .forMethod(
            GreeterMethods.SAY_HELLO,
            MethodConfig.builder().timeout(LONGEST_CALL).retryPolicy(policy).build())
        .retryThrottling(RetryThrottling.of(10, 0.1)) // stops retries while a server is down
        .build();
  }
}
