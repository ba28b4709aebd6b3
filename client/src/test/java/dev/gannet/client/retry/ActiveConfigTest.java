package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodDescriptor.Idempotency;
import dev.gannet.client.RetryingCallTest;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.settings.RetrySettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of a service config for the methods that are called. */
class ActiveConfigTest {
  private static final ServiceConfig RETRYING =
      ServiceConfig.builder()
          .forAllMethods(
              MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3).build()).build())
          .build();

  private final ActiveConfig config =
      new ActiveConfig(RETRYING, RetrySettings.DEFAULT, Optional.empty());

  private static MethodDescriptor<String, String> method(String name) {
    MethodDescriptor<String, String> like = TestChannel.UNARY;
    return MethodDescriptor.of(
        like.type(), name, like.requestMarshaller(), like.responseMarshaller());
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
