package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Configurations are equal if all their values are, and values outside their ranges are refused.
 */
final class ConfigValuesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static void assertDiffer(List<?> all) {
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < all.size(); j++) {
        assertThat(all.get(i).equals(all.get(j))).as("%d and %d", i, j).isEqualTo(i == j);
      }
      assertThat(all.get(i)).isNotEqualTo("another type");
    }
  }

  private static RetryPolicy retries(UnaryOperator<RetryPolicy> change) {
    return change.apply(
        RetryPolicy.of(3, Status.Code.UNAVAILABLE)
            .withInitialBackoff(SECOND)
            .withMaxBackoff(MINUTE)
            .withBackoffMultiplier(2));
  }

  @Test
  void retryPoliciesAreEqualByValue() {
    RetryPolicy one = retries(it -> it);
    assertThat(one).isEqualTo(retries(it -> it)).hasSameHashCodeAs(retries(it -> it));
    assertDiffer(
        List.of(
            one,
            retries(it -> it.withMaxAttempts(4)),
            retries(it -> it.withInitialBackoff(MINUTE)),
            retries(it -> it.withMaxBackoff(SECOND)),
            retries(it -> it.withBackoffMultiplier(3)),
            retries(it -> it.withRetryableStatusCodes(Status.Code.ABORTED)),
            retries(it -> it.withPerAttemptReceiveTimeout(SECOND))));
  }

  @Test
  void aCopyOfAPolicyKeepsWhatIsNotChanged() {
    RetryPolicy one =
        RetryPolicy.of(2, Status.Code.ABORTED)
            .withPerAttemptReceiveTimeout(MINUTE)
            .withBackoffMultiplier(3)
            .withMaxBackoff(MINUTE)
            .withInitialBackoff(SECOND)
            .withRetryableStatusCodes(Status.Code.UNAVAILABLE)
            .withMaxAttempts(4);
    assertThat(one)
        .isEqualTo(
            RetryPolicy.of(4, Status.Code.UNAVAILABLE)
                .withInitialBackoff(SECOND)
                .withMaxBackoff(MINUTE)
                .withBackoffMultiplier(3)
                .withPerAttemptReceiveTimeout(MINUTE));
    HedgingPolicy two =
        HedgingPolicy.of(3)
            .withNonFatalStatusCodes(List.of(Status.Code.ABORTED))
            .withHedgingDelay(SECOND);
    assertThat(two.withMaxAttempts(2))
        .isEqualTo(
            HedgingPolicy.of(2)
                .withHedgingDelay(SECOND)
                .withNonFatalStatusCodes(List.of(Status.Code.ABORTED)));
  }

  @Test
  void hedgingPoliciesAreEqualByValue() {
    HedgingPolicy one = HedgingPolicy.of(3);
    assertThat(one).isEqualTo(HedgingPolicy.of(3)).hasSameHashCodeAs(HedgingPolicy.of(3));
    assertDiffer(
        List.of(
            one,
            HedgingPolicy.of(4),
            one.withHedgingDelay(SECOND),
            one.withNonFatalStatusCodes(List.of(Status.Code.ABORTED))));
  }

  @Test
  void throttlingsAreEqualByValue() {
    assertThat(RetryThrottling.of(10, 0.5)).isEqualTo(RetryThrottling.of(10, 0.5));
    assertDiffer(
        List.of(
            RetryThrottling.of(10, 0.5),
            RetryThrottling.of(11, 0.5),
            RetryThrottling.of(10, 0.25)));
  }

  @Test
  void methodConfigsAreEqualByValue() {
    MethodConfig one = MethodConfig.builder().timeout(SECOND).build();
    assertThat(one).isEqualTo(MethodConfig.builder().timeout(SECOND).build());
    assertDiffer(
        List.of(
            one,
            MethodConfig.EMPTY,
            MethodConfig.builder().waitForReady(true).build(),
            MethodConfig.builder().maxRequestMessageBytes(1).build(),
            MethodConfig.builder().maxResponseMessageBytes(1).build(),
            MethodConfig.builder().retryPolicy(retries(it -> it)).build(),
            MethodConfig.builder().hedgingPolicy(HedgingPolicy.of(3)).build()));
  }

  @Test
  void serviceConfigsAreEqualByValue() {
    MethodConfig config = MethodConfig.builder().timeout(SECOND).build();
    assertThat(ServiceConfig.builder().build()).isEqualTo(ServiceConfig.EMPTY);
    assertDiffer(
        List.of(
            ServiceConfig.EMPTY,
            ServiceConfig.builder().forMethod("pkg.Service/Method", config).build(),
            ServiceConfig.builder().forService("pkg.Service", config).build(),
            ServiceConfig.builder().forAllMethods(config).build(),
            ServiceConfig.builder().retryThrottling(RetryThrottling.of(10, 0.5)).build(),
            ServiceConfig.builder().loadBalancer(LoadBalancerProvider.roundRobin()).build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 101})
  void attemptLimitsMustBeTwoToAHundred(int attempts) {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxRetryAttempts(attempts))
        .withMessageContaining("maxRetryAttempts must be 2 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxHedgedAttempts(attempts))
        .withMessageContaining("maxHedgedAttempts must be 2 to 100");
  }

  @Test
  void buffersOfRetriesCannotBeNegative() {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost", 1);
    assertThatIllegalArgumentException().isThrownBy(() -> builder.retryBufferBytesPerCall(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.retryBufferBytes(-1));
  }

  static Stream<Method> settersOfReferences() {
    return Arrays.stream(ManagedChannelBuilder.class.getMethods())
        .filter(it -> it.getReturnType() == ManagedChannelBuilder.class)
        .filter(it -> it.getParameterCount() == 1 && !it.getParameterTypes()[0].isPrimitive());
  }

  @ParameterizedTest
  @MethodSource("settersOfReferences")
  void aSetterRefusesNullAtOnce(Method setter) {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost", 1);
    assertThatThrownBy(() -> setter.invoke(builder, new Object[1]))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class);
  }

  @Test
  void aChangeOfLimitsThatReturnsNullIsRefusedAtOnce() {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost", 1);
    assertThatNullPointerException().isThrownBy(() -> builder.transportLimits(it -> Nulls.none()));
    assertThatNullPointerException().isThrownBy(() -> builder.socketOptions(it -> Nulls.none()));
  }

  @Test
  void aUserAgentBeginsWithAProduct() {
    assertThat(UserAgent.checked("shop/2 (blue)")).isEqualTo("shop/2 (blue)");
    assertThatIllegalArgumentException().isThrownBy(() -> UserAgent.checked("(blue)"));
  }

  @Test
  void ejectionTimesCannotBeNegative() {
    OutlierDetectionSettings settings = OutlierDetectionSettings.DEFAULT;
    assertThat(settings.withEjectionTimes(SECOND, MINUTE)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withEjectionTimes(SECOND.negated(), MINUTE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withEjectionTimes(SECOND, MINUTE.negated()));
  }
}
