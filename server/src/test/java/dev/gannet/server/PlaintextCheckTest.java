package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ServerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which servers start although their builder says neither credentials nor plaintext. */
final class PlaintextCheckTest {
  private static final SocketAddress ALL_ADDRESSES = new InetSocketAddress(50_051);

  private final HandTransport transport = new HandTransport();

  private ServerBuilder on(SocketAddress address) {
    return Server.builder(address).transport(transport);
  }

  /** An address in the bytes of its host. */
  private static SocketAddress ip(int... host) throws UnknownHostException {
    byte[] bytes = new byte[host.length];
    for (int i = 0; i < host.length; i++) {
      bytes[i] = (byte) host[i];
    }
    return new InetSocketAddress(InetAddress.getByAddress(bytes), 1);
  }

  @Test
  void theExceptionNamesAllAddressesThatOthersCanReachAndWhatToCall() throws IOException {
    ServerBuilder builder =
        on(ALL_ADDRESSES)
            .alsoListen(ip(127, 0, 0, 1))
            .alsoListen(ip(192, 0, 2, 1))
            .alsoListen(ip(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7));
    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "other machines can reach the server on 0.0.0.0:50051, 192.0.2.1:1,"
                + " [2001:db8:0:0:0:0:0:7]:1, and ")
        .hasMessageContaining("ServerBuilder.credentials(...)")
        .hasMessageContaining("ServerBuilder.plaintext()");
  }

  @Test
  void nothingIsOpenedOrObservedBefore() throws IOException {
    List<String> steps = new ArrayList<>();
    ServerObserver observer =
        new ServerObserver() {
          @Override
          public void onStart(Server server) {
            steps.add("start");
          }
        };
    ServerBuilder builder = on(ip(127, 0, 0, 1)).alsoListen(ALL_ADDRESSES).observe(observer);
    assertThatThrownBy(builder::start).isInstanceOf(IllegalStateException.class);
    assertThat(transport.doors).isEmpty();
    assertThat(steps).isEmpty();
  }

  @Test
  void anAddressWithoutAnIpCountsAsReachable() {
    assertThatThrownBy(on(HandTransport.ADDRESS)::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(" on server:1, ");
  }

  @Test
  void aServerThatSaysWhatItUsesStarts() throws IOException {
    on(ALL_ADDRESSES).plaintext().start();
    on(ALL_ADDRESSES).credentials(ServerCredentials.insecure()).start();
    assertThat(transport.doors).hasSize(2);
  }

  private static Stream<SocketAddress> addressesOfThisMachine() throws UnknownHostException {
    return Stream.of(
        ip(127, 0, 0, 1),
        ip(127, 3, 2, 1),
        ip(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        UnixDomainSocketAddress.of("/run/greeter.sock"),
        new OfOneProcess());
  }

  @ParameterizedTest
  @MethodSource("addressesOfThisMachine")
  void aServerThatOnlyThisMachineReachesStarts(SocketAddress address) throws IOException {
    on(address).start();
    assertThat(transport.doors).hasSize(1);
  }

  /** An address that is neither of the Internet nor a file. */
  private static final class OfOneProcess extends SocketAddress {
    private static final long serialVersionUID = 1;
  }
}
