package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import org.junit.jupiter.api.Test;

/** The gate counts the calls of a channel, and lets none in once it is shut. */
final class CallGateTest {
  @Test
  void aClosedGateIsEmptyAfterItsLastCallHasEnded() {
    CallGate gate = new CallGate();
    assertThat(gate.enter()).isEmpty();
    gate.leave();
    assertThat(gate.isShut()).isFalse();
    assertThat(gate.isShutAndEmpty()).isFalse();
    gate.enter();
    gate.shut(Status.ABORTED);
    assertThat(gate.isShut()).isTrue();
    assertThat(gate.isShutAndEmpty()).isFalse();
    assertThat(gate.enter()).hasValue(Status.ABORTED);
    gate.leave();
    assertThat(gate.isShutAndEmpty()).isTrue();
  }
}
