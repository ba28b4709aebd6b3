package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import org.junit.jupiter.api.Test;

/** Credentials of a kind that the transport does not know are an error, never plaintext. */
final class UnknownCredentialsTest {
  private record Own() implements ChannelCredentials, ServerCredentials {}

  @Test
  void aChannelWithUnknownCredentialsIsNotBuilt() {
    assertThatThrownBy(() -> ManagedChannel.builder("localhost", 1).credentials(new Own()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the channel's credentials")
        .hasMessageContaining(Own.class.getName());
  }

  @Test
  void aServerWithUnknownCredentialsDoesNotStart() {
    assertThatThrownBy(() -> Server.builder(0).credentials(new Own()).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the server's credentials")
        .hasMessageContaining(Own.class.getName());
  }
}
