package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.client.ServedCall;
import dev.gannet.client.TestChannel;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A call counts from its admission to its end, and ends once. */
final class CallLifetimeTest {
  private final CallLifetime lifetime = new CallLifetime();
  private final OutgoingCall<String, String> call =
      new PlainCall<>(new TestChannel().callOwner(), TestChannel.UNARY, CallOptions.DEFAULT);
  private final ServedCall served = new ServedCall(Optional.empty());

  @Test
  void theEndOfAnAdmittedCallIsReportedOnce() {
    assertThat(lifetime.admit()).isTrue();
    assertThat(lifetime.hasEnded()).isFalse();
    assertThat(lifetime.end()).isTrue();
    assertThat(lifetime.hasEnded()).isTrue();
    assertThat(lifetime.end()).isFalse();
    assertThat(lifetime.admit()).isFalse();
  }

  @Test
  void theEndOfACallThatWasNotAdmittedIsLeftToTheCaller() {
    assertThat(lifetime.end()).isFalse();
    assertThat(lifetime.hasEnded()).isTrue();
    assertThat(lifetime.admit()).isFalse();
    assertThat(lifetime.end()).isFalse();
  }

  @Test
  void theEndRemovesItsActionFromTheServedCall() {
    lifetime.admit();
    served.run(() -> lifetime.endWithServedCall(call));
    assertThat(served.actions).hasSize(1);
    lifetime.end();
    lifetime.end();
    assertThat(served.actions).isEmpty();
  }

  @Test
  void afterTheEndNoActionIsLeftAtTheServedCall() {
    lifetime.admit();
    lifetime.end();
    served.run(() -> lifetime.endWithServedCall(call));
    assertThat(served.actions).isEmpty();
  }
}
