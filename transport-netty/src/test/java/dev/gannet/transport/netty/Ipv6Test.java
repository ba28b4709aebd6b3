package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers and channels meet at {@code ::1}, where the machine has it. */
@Timeout(60)
final class Ipv6Test {
  private static final byte[] MESSAGE = {1, 2, 3};

  /** A bound port at which nobody listens: connections are refused. */
  private final Socket refusing = new Socket();

  private final AtomicReference<CallContext> served = new AtomicReference<>();

  private static InetSocketAddress at(String host, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }

  @BeforeEach
  void requireIpv6() throws IOException {
    assumeTrue(isBound("::1"), "no ::1");
  }

  private boolean isBound(String host) throws IOException {
    try {
      refusing.bind(at(host, 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterEach
  void end() throws IOException {
    refusing.close();
  }

  private Server serve() throws IOException {
    return Server.builder(at("::1", 0))
        .interceptHeaders((call, headers) -> served.set(call))
        .add(EchoService.definition())
        .start();
  }

  /** A call of a new channel, which the server answers. */
  private void assertServed(ManagedChannelBuilder builder, Server server) throws IOException {
    try (ManagedChannel channel = builder.plaintext().build()) {
      Response<byte[]> response =
          BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(response.message()).isEqualTo(MESSAGE);
      assertThat(response.peer()).hasValue(at("::1", server.port()));
    }
  }

  @Test
  void aTargetNamesAnAddressWithItsPort() throws IOException {
    try (Server server = serve()) {
      assertServed(ManagedChannel.builder("ipv6:[::1]:" + server.port()), server);
      CallContext call = served.get();
      assertThat(call.authority()).isEqualTo("[::1]:" + server.port());
      assertThat(call.localAddress()).isEqualTo(at("::1", server.port()));
      assertThat(call.peer())
          .isInstanceOfSatisfying(
              InetSocketAddress.class,
              it -> assertThat(it.getAddress().isLoopbackAddress()).isTrue());
    }
  }

  @Test
  void aHostMayBeAnAddress() throws IOException {
    try (Server server = serve()) {
      assertServed(ManagedChannel.builder("::1", server.port()), server);
    }
  }

  @Test
  void callsGoToTheNextAddressIfTheFirstRefuses() throws IOException {
    try (Server server = serve()) {
      String target = "ipv6:[::1]:%d,[::1]:%d".formatted(refusing.getLocalPort(), server.port());
      assertServed(ManagedChannel.builder(target), server);
      assertServed(ManagedChannel.builder(target).roundRobin(), server);
    }
  }

  @Test
  void callsGoToIpv6IfIpv4Refuses() throws IOException {
    try (Server server = serve();
        Socket refusingIpv4 = new Socket()) {
      refusingIpv4.bind(at("127.0.0.1", 0));
      assertServed(
          ManagedChannel.builder("name.test")
              .addresses(
                  List.of(at("127.0.0.1", refusingIpv4.getLocalPort()), at("::1", server.port()))),
          server);
    }
  }
}
