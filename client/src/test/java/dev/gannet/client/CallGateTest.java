package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import org.junit.jupiter.api.Test;

/** The gate counts the calls of a channel, and lets none in once the channel is shut down. */
final class CallGateTest {
  @Test
  void aGateIsEmptyForGoodAfterShutdownAndTheEndOfTheLastCall() {
    ChannelLifecycle lifecycle = new ChannelLifecycle();
    CallGate gate = new CallGate(lifecycle);
    assertThat(gate.enter()).isEmpty();
    gate.leave();
    assertThat(gate.isEmptyForGood()).isFalse();
    gate.enter();
    lifecycle.shutDown(Status.ABORTED);
    assertThat(gate.isEmptyForGood()).isFalse();
    assertThat(gate.enter()).hasValue(Status.ABORTED);
    gate.leave();
    assertThat(gate.isEmptyForGood()).isTrue();
  }
}
