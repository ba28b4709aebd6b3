package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.server.ConnectionContext;
import dev.gannet.server.Server;
import dev.gannet.server.ServerTransportFilter;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that does not offer HTTP/2 is not served, and this side says so (RFC 7301 §3.2). */
@Timeout(60)
final class AlpnTest {
  private static final String NO_HTTP2 =
      "the handshake did not complete: the other side speaks TLS but does not offer HTTP/2 (ALPN h2)";

  private static final Logger LOG = Logger.getLogger(PeerFaults.class.getName());

  private final Lines lines = new Lines();
  private final List<String> protocols = new CopyOnWriteArrayList<>();

  /** What was logged of peers. */
  private static final class Lines extends Handler {
    private final List<String> said = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      said.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Notes what each connection has negotiated. */
  private record Protocols(List<String> negotiated) implements ServerTransportFilter {
    @Override
    public void onTransportReady(ConnectionContext connection) {
      negotiated.add(connection.applicationProtocol().orElse("none"));
    }
  }

  @BeforeEach
  void listen() {
    LOG.addHandler(lines);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(lines);
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream in = AlpnTest.class.getResourceAsStream("/tls/" + name)) {
      return Pem.of(in);
    }
  }

  private Server serverWith(SslProvider provider) throws IOException {
    assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable());
    return Server.builder(0)
        .credentials(
            ServerCredentials.tls(TlsIdentity.of(pem("localhost.pem"), pem("localhost.key"))))
        .addTransportFilter(new Protocols(protocols))
        .transport(Http2Transport.over(new NettyPipes(NettyEventLoops::shared, () -> provider)))
        .start();
  }

  /** A client that offers these, before its handshake. */
  private static SSLSocket clientOf(Server server, String... protocols) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    return socket;
  }

  private void isToldOnce(Server server, Socket client) {
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.HANDSHAKE_FAILED, 1L));
    assertThat(lines.said)
        .filteredOn(line -> line.contains("/127.0.0.1:" + client.getLocalPort() + ": "))
        .singleElement(as(STRING))
        .endsWith(NO_HTTP2);
  }

  @Test
  void aClientOfOtherProtocolsGetsTheAlertOfTheJdk() throws Exception {
    try (Server server = serverWith(SslProvider.JDK);
        SSLSocket client = clientOf(server, "http/1.1")) {
      assertThatThrownBy(client::startHandshake)
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("no_application_protocol");
      isToldOnce(server, client);
    }
  }

  @Test
  void aClientOfOtherProtocolsIsClosedByOpenSsl() throws Exception {
    try (Server server = serverWith(SslProvider.OPENSSL);
        SSLSocket client = clientOf(server, "http/1.1")) {
      client.startHandshake();
      assertThat(client.getInputStream().read()).isNegative();
      isToldOnce(server, client);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aClientWithoutProtocolsIsClosed(SslProvider provider) throws Exception {
    try (Server server = serverWith(provider);
        SSLSocket client = clientOf(server)) {
      client.startHandshake();
      assertThat(client.getInputStream().read()).isNegative();
      isToldOnce(server, client);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aClientWithHttp2AmongOthersIsServed(SslProvider provider) throws Exception {
    try (Server server = serverWith(provider);
        SSLSocket client = clientOf(server, "http/1.1", "h2")) {
      client.startHandshake();
      assertThat(client.getApplicationProtocol()).isEqualTo("h2");
      assertThat(client.getInputStream().read()).isNotNegative();
      assertThat(protocols).containsExactly("h2");
      assertThat(server.peerFaults()).isEmpty();
    }
  }
}
