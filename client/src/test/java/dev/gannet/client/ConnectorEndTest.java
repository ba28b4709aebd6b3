package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What watches over files for a channel is let go when the channel has terminated. */
final class ConnectorEndTest {
  private final TestChannel test = new TestChannel();

  @Test
  void aChannelThatWasNeverUsedClosesItsConnectorAtOnce() {
    test.channel().shutdown();
    assertThat(test.connector.closes).isPositive();
  }

  @Test
  void aChannelClosesItsConnectorAfterItsLastConnection() {
    test.connected();
    test.channel().shutdown();
    assertThat(test.connector.closes).isZero();
    test.dial().isGone("closed");
    assertThat(test.connector.closes).isPositive();
    assertThat(test.channel().isTerminated()).isTrue();
  }
}
