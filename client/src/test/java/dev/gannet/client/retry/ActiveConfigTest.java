package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodDescriptor.Idempotency;
import dev.gannet.client.TestChannel;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.FurtherAttempts;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.settings.RetrySettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of a service config for the methods that are called. */
class ActiveConfigTest {
  private static final ServiceConfig RETRYING =
      ServiceConfig.builder()
          .forAllMethods(MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build())
          .build();

  private final ActiveConfig config =
      new ActiveConfig(RETRYING, RetrySettings.DEFAULT, Optional.empty());

  private static MethodDescriptor<String, String> method(String name) {
    MethodDescriptor<String, String> like = TestChannel.UNARY;
    return MethodDescriptor.of(
        like.type(), name, like.requestMarshaller(), like.responseMarshaller());
  }

  /** How attempts follow by each kind of policy; a further kind does not compile here. */
  private static AttemptPolicy.Kind kindOf(FurtherAttempts policy) {
    return switch (policy) {
      case RetryPolicy retry -> AttemptPolicy.Kind.RETRY;
      case HedgingPolicy hedging -> AttemptPolicy.Kind.HEDGE;
    };
  }

  @Test
  void eachKindOfPolicyHasItsAttempts() {
    List<MethodConfig> each =
        List.of(
            MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build(),
            MethodConfig.builder().hedgingPolicy(HedgingPolicy.of(3)).build());
    for (MethodConfig method : each) {
      ServiceConfig config = ServiceConfig.builder().forAllMethods(method).build();
      MethodSettings found =
          new ActiveConfig(config, RetrySettings.DEFAULT, Optional.empty()).of(method("a/B"));
      assertThat(found.attempts().map(AttemptPolicy::kind))
          .isEqualTo(method.furtherAttempts().map(ActiveConfigTest::kindOf));
    }
    assertThat(each.stream().<Class<?>>map(it -> it.furtherAttempts().orElseThrow().getClass()))
        .containsExactlyInAnyOrder(FurtherAttempts.class.getPermittedSubclasses());
  }

  @Test
  void aMethodIsLookedUpOnce() {
    assertThat(config.of(method("a/B"))).isSameAs(config.of(method("a/B")));
  }

  @Test
  void methodsOfTheSameNameShareNothingIfOneMayBeRepeatedAndTheOtherMayNot() {
    MethodSettings unknown = config.of(method("a/B"));
    MethodDescriptor<String, String> repeatable =
        method("a/B").withIdempotency(Idempotency.IDEMPOTENT);
    assertThat(config.of(repeatable)).isNotSameAs(unknown).isSameAs(config.of(repeatable));
    assertThat(config.of(method("a/B"))).isSameAs(unknown);
  }

  @Test
  void methodsBeyondTheLimitHaveTheirSettingsAllTheSame() {
    for (int i = 0; i < ActiveConfig.MAX_METHODS; i++) {
      config.of(method("a/" + i));
    }
    MethodSettings found = config.of(method("b/C"));
    assertThat(found.attempts()).isPresent();
    assertThat(config.of(method("b/C"))).isNotSameAs(found);
    assertThat(config.of(method("a/0"))).isSameAs(config.of(method("a/0")));
  }
}
