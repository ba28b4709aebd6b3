package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ServerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a server without TLS warns. */
final class PlaintextWarningTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");
  private static final SocketAddress ALL_ADDRESSES = new InetSocketAddress(50_051);

  private final Lines lines = new Lines();

  private static final class Lines extends Handler {
    private final List<String> all = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      assertThat(line.getLevel()).isEqualTo(Level.WARNING);
      all.add(MessageFormat.format(line.getMessage(), line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOG.setUseParentHandlers(false);
    LOG.addHandler(lines);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(lines);
    LOG.setUseParentHandlers(true);
  }

  private static ServerBuilder on(SocketAddress address) {
    return Server.builder(address).transport(new HandTransport());
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
  void oneLineNamesAllAddressesThatOthersCanReach() throws IOException {
    on(ALL_ADDRESSES)
        .alsoListen(ip(127, 0, 0, 1))
        .alsoListen(ip(192, 0, 2, 1))
        .alsoListen(ip(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
        .start();
    assertThat(lines.all)
        .singleElement()
        .asString()
        .startsWith(
            "the server listens without TLS on 0.0.0.0:50051, 192.0.2.1:1,"
                + " [2001:db8:0:0:0:0:0:7]:1: everybody who can reach it")
        .contains("can read and change calls")
        .contains("credentials(...)")
        .contains("plaintext()");
  }

  @Test
  void anAddressWithoutAnIpCountsAsReachable() throws IOException {
    on(HandTransport.ADDRESS).start();
    assertThat(lines.all).singleElement().asString().contains(" on server:1: ");
  }

  @Test
  void aServerThatSaysPlaintextDoesNotWarn() throws IOException {
    on(ALL_ADDRESSES).plaintext().start();
    on(ALL_ADDRESSES).credentials(ServerCredentials.insecure()).start();
    assertThat(lines.all).isEmpty();
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
  void aServerThatOnlyThisMachineReachesDoesNotWarn(SocketAddress address) throws IOException {
    on(address).start();
    assertThat(lines.all).isEmpty();
  }

  /** An address that is neither of the Internet nor a file. */
  private static final class OfOneProcess extends SocketAddress {
    private static final long serialVersionUID = 1;
  }
}
