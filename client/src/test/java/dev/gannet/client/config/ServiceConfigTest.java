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

  private static RetryPolicy.Builder policy() {
    return RetryPolicy.builder()
        .maxAttempts(3)
        .initialBackoff(SECOND)
        .maxBackoff(SECOND)
        .backoffMultiplier(1)
        .retryableStatusCodes(Status.Code.UNAVAILABLE);
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
    RetryPolicy policy = policy().retryableStatusCodes(unavailable, unavailable).build();
    assertThat(policy.retryableStatusCodes()).containsExactly(unavailable);
  }

  @Test
  void eachValueIsChecked() {
    isRefused("timeout", () -> MethodConfig.builder().timeout(Duration.ofSeconds(-1)));
    isRefused("maxRequestMessageBytes", () -> MethodConfig.builder().maxRequestMessageBytes(-1));
    isRefused("maxResponseMessageBytes", () -> MethodConfig.builder().maxResponseMessageBytes(-1));
    isRefused("maxAttempts", () -> policy().maxAttempts(1));
    isRefused("initialBackoff", () -> policy().initialBackoff(Duration.ZERO));
    isRefused("maxBackoff", () -> policy().maxBackoff(Duration.ofSeconds(-1)));
    isRefused("backoffMultiplier", () -> policy().backoffMultiplier(0));
    isRefused("backoffMultiplier", () -> policy().backoffMultiplier(Double.NaN));
    isRefused("backoffMultiplier", () -> policy().backoffMultiplier(1 / 0.0));
    isRefused("retryableStatusCodes", () -> policy().retryableStatusCodes());
    isRefused("OK", () -> policy().retryableStatusCodes(Status.Code.OK));
    isRefused("perAttemptRecvTimeout", () -> policy().perAttemptReceiveTimeout(Duration.ZERO));
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
  void aRetryPolicyNeedsAllItsValues() {
    isRefused("maxAttempts", () -> RetryPolicy.builder().build());
    RetryPolicy.Builder built = RetryPolicy.builder().maxAttempts(2);
    isRefused("initialBackoff", built::build);
    built.initialBackoff(SECOND);
    isRefused("maxBackoff", built::build);
    built.maxBackoff(SECOND);
    isRefused("backoffMultiplier", built::build);
    built.backoffMultiplier(2);
    isRefused("retryableStatusCodes", built::build);
    built.retryableStatusCodes(Status.Code.ABORTED);
    assertThat(built.build().retryableStatusCodes()).containsExactly(Status.Code.ABORTED);
  }

  @Test
  void furtherAttemptsHaveAMaximumWhateverTheirKind() {
    assertThat(List.of(policy().maxAttempts(4).build(), HedgingPolicy.of(3)))
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
                .retryPolicy(policy().perAttemptReceiveTimeout(SECOND).build())
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
    assertThat(policy().build()).isNotEqualTo(policy().maxAttempts(4).build());
    assertThat(HedgingPolicy.of(2)).isNotEqualTo(HedgingPolicy.of(3));
    assertThat(RetryThrottling.of(1, 1)).isNotEqualTo(RetryThrottling.of(1, 2));
    assertThat(ServiceConfig.builder().loadBalancer(LoadBalancerProvider.roundRobin()).build())
        .hasToString(
            "ServiceConfig[methods={}, services={}, others="
                + MethodConfig.EMPTY
                + ", loadBalancer=round_robin]");
  }
}
