package dev.gannet.examples.retry;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.examples.greeter.GreeterMethods;
import java.time.Duration;

/** The service config of a channel to a greeter: which of its methods are tried again, and when. */
public final class PatientChannel {
  /** Counts the first one, too. */
  public static final int MOST_ATTEMPTS = 4;

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);
  private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

  private PatientChannel() {}

  /**
   * Has a channel try {@code SayHello} again. The other methods change something, or answer with
   * streams, and are left alone.
   */
  public static ManagedChannelBuilder retrying(ManagedChannelBuilder builder) {
    return builder.defaultServiceConfig(config());
  }

  static ServiceConfig config() {
    RetryPolicy policy =
        RetryPolicy.builder()
            .maxAttempts(MOST_ATTEMPTS)
            .initialBackoff(FIRST_BACKOFF)
            .maxBackoff(LONGEST_BACKOFF)
            .backoffMultiplier(2)
            .retryableStatusCodes(Status.Code.UNAVAILABLE)
            .build();
    return ServiceConfig.builder()
        .forMethod(
            GreeterMethods.SAY_HELLO.fullMethodName(),
            MethodConfig.builder().timeout(LONGEST_CALL).retryPolicy(policy).build())
        .retryThrottling(RetryThrottling.of(10, 0.1)) // a server that is down is left alone
        .build();
  }
}
