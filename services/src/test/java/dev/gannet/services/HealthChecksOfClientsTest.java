package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.server.Server;
import dev.gannet.services.channelz.v1.ChannelzClient;
import dev.gannet.services.channelz.v1.GetServersRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels ask servers for their health, over real sockets. */
@Timeout(30)
final class HealthChecksOfClientsTest {
  private static final String SERVICE = "shop.Cart";

  private final HealthService firstHealth = new HealthService();
  private final HealthService secondHealth = new HealthService();
  private final Server first = serving(firstHealth);
  private final Server second = serving(secondHealth);
  private final BlockingQueue<ConnectivityState> states = new LinkedBlockingQueue<>();

  private static Server serving(HealthService health) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      return Server.builder(any).add(health).add(new ChannelzService()).start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  private ManagedChannel channel(Consumer<ServiceConfig.Builder> says) {
    ServiceConfig.Builder config =
        ServiceConfig.builder().loadBalancer(LoadBalancerProvider.roundRobin());
    says.accept(config);
    String target = "ipv4:127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port();
    ManagedChannel channel =
        ManagedChannel.builder(target).plaintext().defaultServiceConfig(config.build()).build();
    channel.watchState(states::add);
    return channel;
  }

  /** Waits until the channel has been in that state. */
  private void await(ConnectivityState state) throws InterruptedException {
    ConnectivityState next;
    do {
      next = states.poll(20, TimeUnit.SECONDS);
    } while (next != null && next != state);
    assertThat(next).isEqualTo(state);
  }

  /** Which server has answered. */
  private static long ask(ManagedChannel channel) {
    return ChannelzClient.of(channel)
        .getServers(GetServersRequest.getDefaultInstance())
        .getServer(0)
        .getRef()
        .getServerId();
  }

  @Test
  void callsGoOnlyToServersThatServe() throws InterruptedException {
    firstHealth.setStatus(SERVICE, HealthStatus.SERVING);
    secondHealth.setStatus(SERVICE, HealthStatus.NOT_SERVING);
    try (ManagedChannel channel = channel(it -> it.healthCheckService(SERVICE))) {
      long answered = ask(channel);
      for (int i = 0; i < 20; i++) {
        assertThat(ask(channel)).isEqualTo(answered);
      }
      firstHealth.setStatus(SERVICE, HealthStatus.NOT_SERVING);
      await(ConnectivityState.TRANSIENT_FAILURE);
      assertThatThrownBy(() -> ask(channel))
          .hasMessageContaining("UNAVAILABLE")
          .hasMessageContaining(SERVICE)
          .hasMessageContaining("NOT_SERVING");
      secondHealth.setStatus(SERVICE, HealthStatus.SERVING);
      await(ConnectivityState.READY);
      assertThat(ask(channel)).isNotEqualTo(answered);
    }
  }

  @Test
  void aCallGetsAnotherConnectionIfTheHealthCheckHasTheOnlyStream() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server narrow =
            Server.builder(any)
                .maxConcurrentCallsPerConnection(1)
                .add(new HealthService())
                .add(new ChannelzService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", narrow.port())
                .plaintext()
                .maxConnectionsPerSubchannel(3)
                .defaultServiceConfig(
                    ServiceConfig.builder()
                        .loadBalancer(LoadBalancerProvider.roundRobin())
                        .healthCheckService("")
                        .build())
                .build()) {
      assertThat(ask(channel)).isPositive();
      assertThat(ask(channel)).isPositive();
    }
  }

  @Test
  void anUnknownServiceGetsNoCalls() throws InterruptedException {
    try (ManagedChannel channel = channel(it -> it.healthCheckService(SERVICE))) {
      channel.state(true);
      await(ConnectivityState.TRANSIENT_FAILURE);
      assertThatThrownBy(() -> ask(channel)).hasMessageContaining("SERVICE_UNKNOWN");
    }
  }

  @Test
  void aServerWithoutHealthServiceGetsCalls() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server without = Server.builder(any).add(new ChannelzService()).start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", without.port())
                .plaintext()
                .defaultServiceConfig(
                    ServiceConfig.builder()
                        .loadBalancer(LoadBalancerProvider.roundRobin())
                        .healthCheckService(SERVICE)
                        .build())
                .build()) {
      assertThat(ask(channel)).isPositive();
    }
  }

  @Test
  void aHealthCheckDoesNotDelayTheEndOfServerOrChannel() throws InterruptedException {
    try (ManagedChannel channel = channel(it -> it.healthCheckService(""))) {
      ask(channel);
      first.shutdown();
      assertThat(first.awaitTermination(Duration.ofSeconds(20))).isTrue();
      ask(channel);
      channel.shutdown();
      assertThat(channel.awaitTermination(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void aHealthCheckDoesNotPreventIdleness() throws InterruptedException {
    try (ManagedChannel channel =
        ManagedChannel.builder("127.0.0.1", first.port())
            .plaintext()
            .idleTimeout(Duration.ofMillis(50))
            .defaultServiceConfig(
                ServiceConfig.builder()
                    .loadBalancer(LoadBalancerProvider.roundRobin())
                    .healthCheckService("")
                    .build())
            .build()) {
      channel.watchState(states::add);
      ask(channel);
      await(ConnectivityState.READY);
      await(ConnectivityState.IDLE);
    }
  }
}
