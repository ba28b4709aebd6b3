package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.serviceconfig.ServiceConfigs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A channel with {@code ring_hash} chooses among three real servers by a header of the request
 * (gRFC A76).
 */
@Timeout(60)
final class HashedCallsTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final int VALUES = 400;
  private static final Metadata.Key<String> USER = Metadata.Key.ascii("user-id");

  private final Fleet fleet = new Fleet();

  /** How the channel learns of its policy and of the header. */
  enum Configured {
    IN_CODE {
      @Override
      ManagedChannelBuilder configure(ManagedChannelBuilder channel) {
        return channel.loadBalancer(
            LoadBalancerProvider.ringHash(
                RingHashSettings.DEFAULT.withRequestHashHeader(USER.name())));
      }
    },
    IN_JSON {
      @Override
      ManagedChannelBuilder configure(ManagedChannelBuilder channel) {
        return channel.defaultServiceConfig(
            ServiceConfigs.parse(
                """
                {"loadBalancingConfig": [
                  {"ring_hash_experimental": {"requestHashHeader": "user-id"}}]}
                """));
      }
    };

    abstract ManagedChannelBuilder configure(ManagedChannelBuilder channel);
  }

  @AfterEach
  void end() {
    fleet.close();
  }

  private ManagedChannel channel(Configured configured, int... weights) throws IOException {
    for (int weight : weights) {
      fleet.add().weight = weight;
    }
    return configured
        .configure(ManagedChannel.builder("fleet:///name").addNameResolver(fleet).plaintext())
        .build();
  }

  /** The index of the server that has answered a call with these values of the header. */
  private int serverOf(ManagedChannel channel, String... users) {
    Metadata headers = new Metadata();
    for (String user : users) {
      headers.add(USER, user);
    }
    int port =
        ((InetSocketAddress)
                BlockingCalls.response(
                        channel,
                        EchoService.UNARY,
                        CallOptions.DEFAULT.withMetadata(headers),
                        MESSAGE)
                    .peer()
                    .orElseThrow())
            .getPort();
    return fleet.members().stream().map(it -> it.server.port()).toList().indexOf(port);
  }

  @ParameterizedTest
  @EnumSource
  void callsWithTheSameValueGoToTheSameServer(Configured configured) throws IOException {
    try (ManagedChannel channel = channel(configured, 1, 1, 1)) {
      int[] shares = new int[3];
      for (int i = 0; i < VALUES; i++) {
        int server = serverOf(channel, "user" + i);
        assertThat(serverOf(channel, "user" + i)).isEqualTo(server);
        assertThat(serverOf(channel, "user" + i)).isEqualTo(server);
        shares[server]++;
      }
      for (int share : shares) { // a third each
        assertThat(share).as("%s", Arrays.toString(shares)).isBetween(VALUES / 5, VALUES / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServersShareOfTheValuesIsItsShareOfTheRing(Configured configured) throws IOException {
    try (ManagedChannel channel = channel(configured, 1, 1, 6)) {
      int[] shares = new int[3];
      for (int i = 0; i < VALUES; i++) {
        shares[serverOf(channel, "user" + i)]++;
      }
      assertThat(shares[0]).isBetween(VALUES / 30, VALUES / 4); // an eighth
      assertThat(shares[1]).isBetween(VALUES / 30, VALUES / 4);
      assertThat(shares[2]).isGreaterThan(VALUES * 6 / 10); // three quarters
    }
  }

  @Test
  void anotherChannelSendsEachValueToTheSameServer() throws IOException {
    try (ManagedChannel one = channel(Configured.IN_CODE, 1, 1, 1);
        ManagedChannel other = channel(Configured.IN_JSON)) {
      for (int i = 0; i < 50; i++) {
        assertThat(serverOf(other, "user" + i)).isEqualTo(serverOf(one, "user" + i));
      }
    }
  }

  @Test
  void aServerThatATargetListsOftenerHasMoreOfTheValues() throws IOException {
    for (int i = 0; i < 3; i++) {
      fleet.add();
    }
    String target =
        Stream.of(0, 1, 2, 2, 2, 2, 2, 2)
            .map(it -> "127.0.0.1:" + fleet.members().get(it).server.port())
            .collect(Collectors.joining(",", "ipv4:", ""));
    try (ManagedChannel channel =
        Configured.IN_JSON.configure(ManagedChannel.builder(target).plaintext()).build()) {
      int atThird = 0;
      for (int i = 0; i < VALUES; i++) {
        atThird += serverOf(channel, "user" + i) == 2 ? 1 : 0;
      }
      assertThat(atThird).isGreaterThan(VALUES * 6 / 10); // three quarters
    }
  }

  @Test
  void severalValuesCountAsOneWithCommas() throws IOException {
    try (ManagedChannel channel = channel(Configured.IN_JSON, 1, 1, 1)) {
      for (int i = 0; i < 50; i++) {
        assertThat(serverOf(channel, "user" + i, "admin"))
            .isEqualTo(serverOf(channel, "user" + i + ",admin"));
      }
    }
  }

  @Test
  void callsWithoutTheHeaderReachAllServers() throws IOException {
    try (ManagedChannel channel = channel(Configured.IN_JSON, 1, 1, 1)) {
      Set<Integer> reached = new HashSet<>();
      while (reached.size() < 3) { // each that is not connected is connected to in its turn
        reached.add(serverOf(channel));
      }
    }
  }
}
