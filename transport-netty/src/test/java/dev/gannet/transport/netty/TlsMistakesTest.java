package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerCredentials.ClientAuth;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What both sides say when a TLS handshake fails, for the usual mistakes: in words and not as an
 * alert of a TLS library, with the peer's address, and with the option that helps.
 */
@Timeout(60)
final class TlsMistakesTest {
  private static final Logger LOG = Logger.getLogger(PeerFaults.class.getName());

  private static final String NOTHING = "nothing more was logged";

  private final Lines lines = new Lines();

  /** The lines that servers log: that of this test, and late ones of the tests before it. */
  private static final class Lines extends Handler {
    private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    @Override
    public void publish(LogRecord line) {
      queue.add(line.getMessage());
    }

    /** Waits for a line that matches; what else is logged does not matter. */
    void await(String regex) throws InterruptedException {
      List<String> others = new ArrayList<>();
      for (String line = next(); !line.matches(regex); line = next()) {
        others.add(line);
        assertThat(others).as("no line matches " + regex).doesNotContain(NOTHING);
      }
    }

    private String next() throws InterruptedException {
      String line = queue.poll(20, TimeUnit.SECONDS);
      return line == null ? NOTHING : line;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOG.addHandler(lines);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(lines);
  }

  private static TlsIdentity identity(String name) throws IOException {
    return TlsIdentity.of(TlsFiles.pem(name + ".pem"), TlsFiles.pem(name + ".key"));
  }

  private static ServerCredentials.Tls serverWith(String name) throws IOException {
    return ServerCredentials.tls(identity(name));
  }

  private static ServerCredentials.Tls serverThatAsks(String clients) throws IOException {
    return serverWith("localhost").withClientAuth(ClientAuth.REQUIRE, TlsFiles.pem(clients));
  }

  private static ChannelCredentials.Tls trusting(String name) throws IOException {
    return ChannelCredentials.tls().withTrust(TlsFiles.pem(name));
  }

  /** The text of the client's status, after a call that fails. */
  private static String status(TlsCalls calls, ChannelCredentials credentials) throws Exception {
    Status status = calls.call(credentials);
    assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
    return status.description().orElseThrow();
  }

  private static Server plaintextServer() throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .transport(Http2Transport.over(new NettyPipes()))
        .add(EchoService.definition())
        .start();
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aMissingClientCertificateIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverThatAsks("renewed.pem"))) {
      assertThat(status(calls, trusting("localhost.pem")))
          .startsWith("cannot connect to localhost:" + calls.port() + ": the server re")
          .contains("ChannelCredentials.tls().withIdentity");
      lines.await(
          "closed the connection with /127\\.0\\.0\\.1:.*"
              + "the handshake did not complete: the client sent no certificate, but this server requires one.*"
              + "ChannelCredentials\\.tls\\(\\)\\.withIdentity.*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void anExpiredClientCertificateIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverThatAsks("ca.pem"))) {
      assertThat(status(calls, trusting("localhost.pem").withIdentity(identity("expired"))))
          .contains("the server rejected this side's certificate")
          .contains("ChannelCredentials.tls().withIdentity");
      lines.await(".*the client's certificate is not accepted: it has expired \\(NotAfter: .*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void anExpiredServerCertificateIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverWith("expired"))) {
      assertThat(status(calls, trusting("ca.pem")))
          .contains("the server's certificate is not accepted: it has expired (NotAfter: ");
      lines.await(".*the client rejected this side's certificate.*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void anUntrustedIssuerIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverWith("localhost"))) {
      assertThat(status(calls, trusting("ca.pem")))
          .contains("the server's certificate is not accepted: its issuer is not trusted")
          .contains("ChannelCredentials.tls().withTrust");
      lines.await(".*(rejected this side's certificate|does not accept this side's certificate).*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aCertificateForAnotherHostIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverWith("other"))) {
      assertThat(status(calls, trusting("other.pem")))
          .contains("the server's certificate is not accepted: it is for another host name")
          .contains("localhost")
          .contains("overrideAuthority");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void differentCipherSuitesAreExplained(SslProvider provider) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (TlsCalls calls = new TlsCalls(provider, serverWith("localhost"));
        SSLSocket socket =
            (SSLSocket)
                context
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), calls.port())) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"});
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
      lines.await(
          ".*this side and the client have no TLS version or cipher suite in common.*"
              + "cipher suites of HTTP/2 \\(RFC 9113 §9\\.2\\.2\\).*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aClientWithoutTlsIsExplained(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, serverWith("localhost"))) {
      assertThat(status(calls, ChannelCredentials.insecure())).contains("does it expect TLS?");
      lines.await(".*the client does not speak TLS, which this server requires.*");
      try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), calls.port())) {
        raw.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        lines.await(".*the client does not speak TLS.*");
      }
    }
  }

  @Test
  void aServerWithoutTlsIsExplained() throws Exception {
    try (Server server = plaintextServer();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port())
                .transport(Http2Transport.over(new NettyPipes()))
                .build()) {
      Caller caller = Caller.begin(channel, EchoService.UNARY, new byte[1]);
      caller.halfClose();
      assertThat(caller.status().description().orElseThrow())
          .startsWith("cannot connect to localhost:" + server.port() + ": ")
          .contains("the server does not speak TLS on this port")
          .contains("plaintext()");
    }
  }
}
