package dev.gannet.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.Status;
import dev.gannet.client.TestChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a service config may say, and for which methods it counts. */
class ServiceConfigTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static MethodConfig timeout(long seconds) {
    return MethodConfig.builder().timeout(Duration.ofSeconds(seconds)).build();
  }

  private static RetryPolicy policy() {
    return RetryPolicy.of(3, Status.Code.UNAVAILABLE)
        .withInitialBackoff(SECOND)
        .withMaxBackoff(SECOND)
        .withBackoffMultiplier(1);
  }

  private static void isRefused(String words, ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made).withMessageContaining(words);
  }

  @Test
  void theMostSpecificNameApplies() {
    ServiceConfig config =
        ServiceConfig.builder()
            .forMethod("a.B/C", timeout(1))
            .forService("a.B", timeout(2))
            .forAllMethods(timeout(3))
            .build();
    assertThat(config.methodConfig("a.B/C")).isEqualTo(timeout(1));
    assertThat(config.methodConfig("a.B/D")).isEqualTo(timeout(2));
    assertThat(config.methodConfig("a.C/D")).isEqualTo(timeout(3));
    assertThat(ServiceConfig.EMPTY.methodConfig("a.B/C")).isSameAs(MethodConfig.EMPTY);
  }

  @Test
  void aMethodMayBeNamedByItsDescriptor() {
    ServiceConfig config = ServiceConfig.builder().forMethod(TestChannel.UNARY, timeout(1)).build();
    assertThat(config.methodConfig(TestChannel.UNARY.fullMethodName())).isEqualTo(timeout(1));
    assertThat(config.methodConfig("a.B/C")).isEqualTo(MethodConfig.EMPTY);
  }

  @Test
  void aNameThatIsConfiguredTwiceIsRefused() {
    ServiceConfig.Builder config =
        ServiceConfig.builder()
            .forMethod("a.B/C", timeout(1))
            .forService("a.B", timeout(2))
            .forAllMethods(timeout(3));
    isRefused("a.B/C twice", () -> config.forMethod("a.B/C", timeout(1)));
    isRefused("a.B twice", () -> config.forService("a.B", timeout(1)));
    isRefused("two default", () -> config.forAllMethods(timeout(1)));
    isRefused("full method name", () -> config.forMethod("C", timeout(1)));
    isRefused("full method name", () -> config.forMethod("a.B/", timeout(1)));
    isRefused("cannot be empty", () -> config.forService("", timeout(1)));
  }

  @Test
  void aNameThatNoMethodCanHaveIsRefused() {
    ServiceConfig.Builder config = ServiceConfig.builder();
    isRefused("leading slash", () -> config.forMethod("/a.B/C", timeout(1)));
    for (String path : List.of("/a.B", "a.B/", "a.B/*", "a.B/C", "/")) {
      isRefused(path, () -> config.forService(path, timeout(1)));
    }
  }

  @Test
  void aStatusCodeMayBeNamedTwice() {
    Status.Code unavailable = Status.Code.UNAVAILABLE;
    RetryPolicy policy = policy().withRetryableStatusCodes(unavailable, unavailable);
    assertThat(policy.retryableStatusCodes()).containsExactly(unavailable);
  }

  @Test
  void eachValueIsChecked() {
    isRefused("timeout", () -> MethodConfig.builder().timeout(Duration.ofSeconds(-1)));
    isRefused("maxRequestMessageBytes", () -> MethodConfig.builder().maxRequestMessageBytes(-1));
    isRefused("maxResponseMessageBytes", () -> MethodConfig.builder().maxResponseMessageBytes(-1));
    isRefused("maxAttempts", () -> policy().withMaxAttempts(1));
    isRefused("initialBackoff", () -> policy().withInitialBackoff(Duration.ZERO));
    isRefused("maxBackoff", () -> policy().withMaxBackoff(Duration.ofSeconds(-1)));
    isRefused("backoffMultiplier", () -> policy().withBackoffMultiplier(0));
    isRefused("backoffMultiplier", () -> policy().withBackoffMultiplier(Double.NaN));
    isRefused("backoffMultiplier", () -> policy().withBackoffMultiplier(1 / 0.0));
    isRefused("retryableStatusCodes", () -> policy().withRetryableStatusCodes());
    isRefused("OK", () -> policy().withRetryableStatusCodes(Status.Code.OK));
    isRefused("perAttemptRecvTimeout", () -> policy().withPerAttemptReceiveTimeout(Duration.ZERO));
    isRefused("maxAttempts", () -> HedgingPolicy.of(1));
    isRefused("hedgingDelay", () -> HedgingPolicy.of(2).withHedgingDelay(Duration.ofSeconds(-1)));
    isRefused(
        "nonFatalStatusCodes",
        () -> HedgingPolicy.of(2).withNonFatalStatusCodes(List.of(Status.Code.OK)));
    isRefused("maxTokens", () -> RetryThrottling.of(0, 1));
    isRefused("maxTokens", () -> RetryThrottling.of(1001, 1));
    isRefused("tokenRatio", () -> RetryThrottling.of(1, 0.0009));
    isRefused("tokenRatio", () -> RetryThrottling.of(1, Double.NaN));
  }

  @Test
  void aRetryPolicyHasDelaysByDefault() {
    RetryPolicy policy = RetryPolicy.of(2, Status.Code.ABORTED);
    assertThat(policy.initialBackoff()).isEqualTo(Duration.ofMillis(100));
    assertThat(policy.maxBackoff()).isEqualTo(SECOND);
    assertThat(policy.backoffMultiplier()).isEqualTo(2);
    assertThat(policy.retryableStatusCodes()).containsExactly(Status.Code.ABORTED);
    assertThat(policy.perAttemptReceiveTimeout()).isEmpty();
    isRefused("retryableStatusCodes", () -> RetryPolicy.of(2));
    isRefused("maxAttempts", () -> RetryPolicy.of(1, Status.Code.ABORTED));
  }

  @Test
  void furtherAttemptsHaveAMaximumWhateverTheirKind() {
    assertThat(List.of(policy().withMaxAttempts(4), HedgingPolicy.of(3)))
        .extracting(FurtherAttempts::maxAttempts)
        .containsExactly(4, 3);
  }

  @Test
  void ratiosAreCutToThreeDigits() {
    assertThat(RetryThrottling.of(10, 0.5466).tokenRatio()).isEqualTo(0.546);
    assertThat(RetryThrottling.of(10, 0.001).tokenRatio()).isEqualTo(0.001);
    assertThat(RetryThrottling.of(10, 1e12).tokenRatio()).isPositive();
  }

  private static ServiceConfig whole() {
    return ServiceConfig.builder()
        .forMethod(
            "a.B/C",
            MethodConfig.builder()
                .waitForReady(true)
                .maxRequestMessageBytes(1)
                .maxResponseMessageBytes(2)
                .retryPolicy(policy().withPerAttemptReceiveTimeout(SECOND))
                .build())
        .forService(
            "a.B",
            MethodConfig.builder()
                .hedgingPolicy(HedgingPolicy.of(2).withHedgingDelay(SECOND))
                .build())
        .retryThrottling(RetryThrottling.of(10, 0.5))
        .build();
  }

  @Test
  void equalConfigsAreEqual() {
    assertThat(whole()).isEqualTo(whole()).hasSameHashCodeAs(whole()).hasToString(whole() + "");
    assertThat(whole()).isNotEqualTo(ServiceConfig.EMPTY).isNotEqualTo("config");
    assertThat(whole().isSameForAllMethods()).isFalse();
    assertThat(ServiceConfig.EMPTY.isSameForAllMethods()).isTrue();
    assertThat(policy()).isNotEqualTo(policy().withMaxAttempts(4));
    assertThat(HedgingPolicy.of(2)).isNotEqualTo(HedgingPolicy.of(3));
    assertThat(RetryThrottling.of(1, 1)).isNotEqualTo(RetryThrottling.of(1, 2));
    assertThat(ServiceConfig.builder().loadBalancer(LoadBalancerProvider.roundRobin()).build())
        .hasToString(
            "ServiceConfig[loadBalancer=round_robin, methods={}, services={}, others="
                + MethodConfig.EMPTY
                + "]");
  }
}
