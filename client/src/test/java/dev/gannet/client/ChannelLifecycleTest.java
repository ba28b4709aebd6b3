package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A channel's phases only advance, and each says why calls are refused. */
final class ChannelLifecycleTest {
  private static final Status SHUT = Status.UNAVAILABLE.withDescription("shut down");
  private static final Status NOW = Status.UNAVAILABLE.withDescription("shut down now");

  private final ChannelLifecycle lifecycle = new ChannelLifecycle();

  @Test
  void anOpenChannelRefusesNothing() {
    assertThat(lifecycle.refusal()).isEmpty();
    assertThat(lifecycle.closingReason()).isEmpty();
    assertThat(lifecycle.isShutDown()).isFalse();
    assertThat(lifecycle.isClosing()).isFalse();
    assertThat(lifecycle.isTerminated()).isFalse();
  }

  @Test
  void aChannelThatIsShutDownRefusesCallsAndEndsNone() {
    lifecycle.shutDown(SHUT);
    assertThat(lifecycle.isShutDown()).isTrue();
    assertThat(lifecycle.refusal()).hasValue(SHUT);
    assertThat(lifecycle.isClosing()).isFalse();
    assertThat(lifecycle.closingReason()).isEmpty();
  }

  @Test
  void aClosingChannelEndsCallsForTheReasonItWasShutDown() {
    lifecycle.shutDown(SHUT);
    lifecycle.close();
    assertThat(lifecycle.isShutDown()).isTrue();
    assertThat(lifecycle.isClosing()).isTrue();
    assertThat(lifecycle.closingReason()).hasValue(SHUT);
    assertThat(lifecycle.isTerminated()).isFalse();
  }

  @Test
  void shutdownNowReplacesTheReasonOfShutdown() {
    lifecycle.shutDown(SHUT);
    lifecycle.shutDownNow(NOW);
    assertThat(lifecycle.refusal()).hasValue(NOW);
    assertThat(lifecycle.isClosing()).isFalse();
  }

  @Test
  void shutdownNowReplacesTheReasonOfAClosingChannel() {
    lifecycle.shutDown(SHUT);
    lifecycle.close();
    lifecycle.shutDownNow(NOW);
    assertThat(lifecycle.closingReason()).hasValue(NOW);
    assertThat(lifecycle.isClosing()).isTrue();
  }

  @Test
  void shutdownDoesNotReplaceTheReasonOfShutdownNow() {
    lifecycle.shutDownNow(NOW);
    lifecycle.shutDown(SHUT);
    assertThat(lifecycle.refusal()).hasValue(NOW);
  }

  @Test
  void aTerminatedChannelStaysTerminated() throws InterruptedException {
    lifecycle.shutDown(SHUT);
    lifecycle.close();
    assertThat(lifecycle.awaitTermination(Duration.ZERO)).isFalse();
    lifecycle.terminate();
    lifecycle.shutDownNow(NOW);
    lifecycle.close();
    lifecycle.terminate();
    assertThat(lifecycle.isTerminated()).isTrue();
    assertThat(lifecycle.awaitTermination(Duration.ZERO)).isTrue();
    assertThat(lifecycle.isClosing()).isTrue();
    assertThat(lifecycle.refusal()).hasValue(SHUT);
    assertThat(lifecycle.closingReason()).hasValue(SHUT);
  }

  @Test
  void closingTwiceIsClosingOnce() {
    lifecycle.shutDown(SHUT);
    lifecycle.close();
    lifecycle.close();
    assertThat(lifecycle.closingReason()).hasValue(SHUT);
  }

  @Test
  void noPhaseIsLeftOut() {
    assertThatThrownBy(lifecycle::close).hasMessage("the channel is not shut down");
    assertThatThrownBy(lifecycle::terminate).hasMessage("the channel is not shut down");
    lifecycle.shutDown(SHUT);
    assertThatThrownBy(lifecycle::terminate).hasMessage("the channel is not closing");
    assertThat(lifecycle.isTerminated()).isFalse();
  }
}
