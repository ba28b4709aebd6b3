package dev.gannet.api.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import org.junit.jupiter.api.Test;

/** The common methods of generated clients. */
final class ServiceClientTest {
  private record Client(Channel channel, CallOptions options) implements ServiceClient<Client> {
    @Override
    public Client with(Channel channel, CallOptions options) {
      return new Client(channel, options);
    }
  }

  @Test
  void theServiceConfigDecidesWhetherCallsWaitUnlessTheClientDoes() {
    Client client = new Client(UnimplementedChannel.ONLY, CallOptions.DEFAULT);
    assertThat(client.options().waitForReady()).isEmpty();
    assertThat(client.withWaitForReady().options().waitForReady()).contains(true);
    assertThat(client.withWaitForReady().withWaitForReady(false).options().waitForReady())
        .contains(false);
  }
}
