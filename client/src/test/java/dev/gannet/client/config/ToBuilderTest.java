package dev.gannet.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was built can be changed by a builder that begins with all of its values. */
final class ToBuilderTest {
  private static final RetryPolicy POLICY =
      RetryPolicy.of(3, Status.Code.ABORTED)
          .withInitialBackoff(Duration.ofMillis(10))
          .withMaxBackoff(Duration.ofMillis(20))
          .withBackoffMultiplier(2)
          .withPerAttemptReceiveTimeout(Duration.ofSeconds(1));

  private static final MethodConfig RETRIED =
      MethodConfig.builder()
          .timeout(Duration.ofSeconds(1))
          .waitForReady(true)
          .maxRequestMessageBytes(1)
          .maxResponseMessageBytes(2)
          .retryPolicy(POLICY)
          .build();

  private static final MethodConfig HEDGED =
      MethodConfig.builder().hedgingPolicy(HedgingPolicy.of(2)).build();

  private static final ServiceConfig CONFIG =
      ServiceConfig.builder()
          .forMethod("a.B/C", RETRIED)
          .forService("a.B", HEDGED)
          .forAllMethods(RETRIED)
          .retryThrottling(RetryThrottling.of(10, 0.1))
          .loadBalancer(LoadBalancerProvider.roundRobin())
          .healthCheckService("a.B")
          .maxConnectionsPerSubchannel(3)
          .build();

  /**
   * Values of one type that together have every property, what they become by their builders, and a
   * value of the type that has no property or others.
   */
  record Case(List<?> values, List<?> rebuilt, Object without) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            List.of(RETRIED, HEDGED),
            List.of(RETRIED.toBuilder().build(), HEDGED.toBuilder().build()),
            MethodConfig.EMPTY),
        new Case(List.of(CONFIG), List.of(CONFIG.toBuilder().build()), ServiceConfig.EMPTY));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBuilderBeginsWithEveryProperty(Case each) {
    assertThat(each.rebuilt()).isEqualTo(each.values());
    for (Field property : propertiesOf(each.without().getClass())) {
      List<Object> original = valuesOf(property, each.values());
      assertThat(original)
          .as("%s must be set by this test", property)
          .anyMatch(it -> !it.equals(valueOf(property, each.without())));
      assertThat(valuesOf(property, each.rebuilt())).as("%s", property).isEqualTo(original);
    }
  }

  private static List<Field> propertiesOf(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(it -> !Modifier.isStatic(it.getModifiers()) && !it.isSynthetic())
        .toList();
  }

  private static List<Object> valuesOf(Field property, List<?> objects) {
    return objects.stream().map(it -> valueOf(property, it)).toList();
  }

  private static Object valueOf(Field property, Object object) {
    try {
      property.setAccessible(true);
      return property.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsSetReplacesWhatTheOriginalHas() {
    ServiceConfig changed =
        CONFIG.toBuilder()
            .forMethod("a.B/C", HEDGED)
            .forService("a.B", RETRIED)
            .forService("a.D", RETRIED)
            .forAllMethods(MethodConfig.EMPTY)
            .build();
    assertThat(changed.methodConfig("a.B/C")).isEqualTo(HEDGED);
    assertThat(changed.methodConfig("a.B/D")).isEqualTo(RETRIED);
    assertThat(changed.methodConfig("a.D/E")).isEqualTo(RETRIED);
    assertThat(changed.methodConfig("a.E/F")).isEqualTo(MethodConfig.EMPTY);
    assertThat(CONFIG.methodConfig("a.B/C")).isEqualTo(RETRIED);
    assertThat(RETRIED.toBuilder().waitForReady(false).build().waitForReady()).contains(false);
  }

  @Test
  void aBuilderOfAConfigTakesEachNameOnce() {
    ServiceConfig.Builder changed = CONFIG.toBuilder().forMethod("a.B/C", HEDGED);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> changed.forMethod("a.B/C", RETRIED))
        .withMessageContaining("a.B/C twice");
  }

  @Test
  void aCopyCanHaveNoPolicyOrTheOtherOne() {
    assertThat(RETRIED.toBuilder().clearFurtherAttempts().build().furtherAttempts()).isEmpty();
    assertThat(HEDGED.toBuilder().clearFurtherAttempts().build()).isEqualTo(MethodConfig.EMPTY);
    MethodConfig other = HEDGED.toBuilder().retryPolicy(POLICY).build();
    assertThat(other.furtherAttempts()).contains(POLICY);
    HedgingPolicy hedging = HedgingPolicy.of(2);
    assertThat(other.toBuilder().hedgingPolicy(hedging).build()).isEqualTo(HEDGED);
  }
}
