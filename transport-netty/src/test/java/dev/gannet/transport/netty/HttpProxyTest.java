package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Channels reach their servers through HTTP proxies, and say which one stands in the way. */
@Isolated("the selector of proxies is the JVM's")
@Timeout(60)
final class HttpProxyTest {
  private static final String OPEN = "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n";

  private static Server server() throws IOException {
    return Server.builder(0)
        .plaintext()
        .transport(Http2Transport.over(new NettyPipes()))
        .add(EchoService.definition())
        .start();
  }

  private static ManagedChannelBuilder plain(String target) {
    return ManagedChannel.builder(target)
        .plaintext()
        .transport(Http2Transport.over(new NettyPipes()));
  }

  private static HttpProxy at(TestProxy proxy) {
    return HttpProxy.of("127.0.0.1", proxy.port());
  }

  private static Status call(ManagedChannelBuilder builder) throws Exception {
    try (ManagedChannel channel = builder.build()) {
      Caller caller = Caller.begin(channel, EchoService.UNARY, new byte[] {1});
      caller.halfClose();
      return caller.status();
    }
  }

  @Test
  void theProxyGetsTheNameWithoutALookUpHere() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      assertThat(call(plain("no.such.host.invalid:50051").proxy(at(proxy)))).isEqualTo(Status.OK);
      assertThat(proxy.asked)
          .containsExactly(
              String.join(
                  "\r\n",
                  "CONNECT no.such.host.invalid:50051 HTTP/1.1",
                  "Host: no.such.host.invalid:50051",
                  "",
                  ""));
    }
  }

  @Test
  void tlsRunsThroughTheTunnelWithTheNameOfTheServer() throws Exception {
    TlsIdentity identity =
        TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.key"));
    ChannelCredentials trusting = ChannelCredentials.tls().withTrust(TlsFiles.pem("localhost.pem"));
    try (TlsCalls calls = new TlsCalls(SslProvider.JDK, ServerCredentials.tls(identity));
        TestProxy proxy = TestProxy.to(calls.port(), OPEN)) {
      assertThat(call(plain("localhost:443").proxy(at(proxy)).credentials(trusting)))
          .isEqualTo(Status.OK);
      assertThat(call(plain("other.invalid").proxy(at(proxy)).credentials(trusting)).code())
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(proxy.asked.getLast()).startsWith("CONNECT other.invalid:443 HTTP/1.1\r\n");
    }
  }

  @Test
  void nameAndPasswordAreSentWithTheFirstRequest() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      HttpProxy withName = at(proxy).withBasicAuthentication("Aladdin", "open sesame");
      assertThat(call(plain("server:1").proxy(withName))).isEqualTo(Status.OK);
      assertThat(proxy.asked.getFirst())
          .contains("\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n");
      assertThat(withName).hasToString("127.0.0.1:" + proxy.port()).isNotEqualTo(at(proxy));
    }
  }

  @Test
  void addressesGoThroughTheProxyToo() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      assertThat(call(plain("ipv6:[2001:db8::1]:5001").proxy(at(proxy)))).isEqualTo(Status.OK);
      assertThat(proxy.asked.getFirst()).startsWith("CONNECT [2001:db8:0:0:0:0:0:1]:5001 ");
    }
  }

  @Test
  void interimAnswersAndShortStatusLinesAreAccepted() throws Exception {
    try (Server server = server();
        TestProxy proxy =
            TestProxy.to(server.port(), "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\n\n")) {
      assertThat(call(plain("server:1").proxy(at(proxy)))).isEqualTo(Status.OK);
    }
  }

  private static void isRefused(String answer, String words) throws Exception {
    try (TestProxy proxy = TestProxy.saying(answer)) {
      Status status = call(plain("server:1").proxy(at(proxy)));
      assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.description().orElseThrow())
          .contains("the proxy 127.0.0.1:" + proxy.port() + " " + words);
    }
  }

  @Test
  void aRefusalOfTheProxyIsReportedWithItsStatusLine() throws Exception {
    isRefused(
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
        "has refused CONNECT server:1: HTTP/1.1 403 Forbidden");
    isRefused(
        "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
        "has refused CONNECT server:1: HTTP/1.1 407 Proxy Authentication Required"
            + " (HttpProxy.withBasicAuthentication sends a name and a password)");
  }

  @Test
  void anInvalidAnswerIsReported() throws Exception {
    isRefused(
        "SSH-2.0-server\r\n\r\n", "does not answer CONNECT server:1 in HTTP/1.1: SSH-2.0-server");
    isRefused("", "closed the connection instead of answering CONNECT server:1");
    isRefused(
        "HTTP/1.1 200 OK\r\n" + "x".repeat(9_000),
        "has answered CONNECT with more than 8192 bytes");
    isRefused(
        "HTTP/1.1 100 Continue\r\n\r\n".repeat(400),
        "has answered CONNECT with more than 8192 bytes");
  }

  @Test
  void aSilentProxyIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Status status =
          call(
              plain("server:1")
                  .proxy(HttpProxy.of("127.0.0.1", silent.getLocalPort()))
                  .transportLimits(it -> it.withHandshakeTimeout(Duration.ofMillis(100))));
      assertThat(status.toString()).contains("has not answered CONNECT server:1 within 100 ms");
    }
  }

  @Test
  void aProxyThatCannotBeReachedIsNamed() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertThat(call(plain("server:1").proxy(HttpProxy.of("127.0.0.1", port))).toString())
        .startsWith("UNAVAILABLE")
        .contains("the proxy 127.0.0.1:" + port + ": ");
    assertThat(call(plain("server:1").proxy(HttpProxy.of("no.such.invalid", 1))).toString())
        .contains("the proxy no.such.invalid:1 cannot be resolved: unknown host");
  }

  /** Says that all but local hosts are behind one proxy. */
  private static final class Selector extends ProxySelector {
    private final List<URI> asked = new CopyOnWriteArrayList<>();
    private final Proxy proxy;

    Selector(Proxy proxy) {
      this.proxy = proxy;
    }

    @Override
    public List<Proxy> select(URI uri) {
      asked.add(uri);
      return List.of(proxy);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException e) {}
  }

  private static final class Password extends Authenticator {
    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      return new PasswordAuthentication("user", "secret".toCharArray());
    }
  }

  private interface Trial {
    void run() throws Exception;
  }

  private static void with(ProxySelector selector, Trial test) throws Exception {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(selector);
    try {
      test.run();
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @Test
  void theProxyOfTheJvmIsUsedForNames() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", proxy.port());
      Selector selector = new Selector(new Proxy(Proxy.Type.HTTP, address));
      with(
          selector,
          () -> {
            assertThat(call(plain("server:1"))).isEqualTo(Status.OK);
            assertThat(call(plain("127.0.0.1:" + server.port()).noProxy())).isEqualTo(Status.OK);
            assertThat(call(plain("ipv4:127.0.0.1:" + server.port()))).isEqualTo(Status.OK);
            assertThat(
                    call(
                        plain("server:1")
                            .addresses(
                                List.of(
                                    new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), server.port())))))
                .isEqualTo(Status.OK);
          });
      assertThat(selector.asked) // sockets of the JDK ask it, too
          .filteredOn(it -> it.getScheme().equals("https"))
          .containsExactly(URI.create("https://server:1"));
      assertThat(proxy.asked).hasSize(1);
    }
  }

  @Test
  void theJvmsAuthenticatorIsAskedForNameAndPassword() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", proxy.port());
      Authenticator before = Authenticator.getDefault();
      Authenticator.setDefault(new Password());
      try {
        with(
            new Selector(new Proxy(Proxy.Type.HTTP, address)),
            () -> assertThat(call(plain("server:1"))).isEqualTo(Status.OK));
      } finally {
        Authenticator.setDefault(before);
      }
      assertThat(proxy.asked.getFirst()).contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=");
    }
  }

  @Test
  void theJvmsPropertiesAreRead() throws Exception {
    try (Server server = server();
        TestProxy proxy = TestProxy.to(server.port(), OPEN)) {
      System.setProperty("https.proxyHost", "127.0.0.1");
      System.setProperty("https.proxyPort", String.valueOf(proxy.port()));
      System.setProperty("http.nonProxyHosts", "localhost|*.direct");
      try {
        assertThat(call(plain("server:1"))).isEqualTo(Status.OK);
        assertThat(call(plain("localhost:" + server.port()))).isEqualTo(Status.OK);
        assertThat(call(plain("no.such.direct:1")).code()).isEqualTo(Status.Code.UNAVAILABLE);
      } finally {
        System.clearProperty("https.proxyHost");
        System.clearProperty("https.proxyPort");
        System.clearProperty("http.nonProxyHosts");
      }
      assertThat(proxy.asked).hasSize(1);
    }
  }

  @Test
  void proxiesOfOtherKindsAreNotUsed() throws Exception {
    try (Server server = server()) {
      String target = "127.0.0.1:" + server.port();
      InetSocketAddress nowhere = InetSocketAddress.createUnresolved("127.0.0.1", 1);
      with(
          new Selector(new Proxy(Proxy.Type.SOCKS, nowhere)),
          () -> assertThat(call(plain(target))).isEqualTo(Status.OK));
      with(
          new Selector(Proxy.NO_PROXY), () -> assertThat(call(plain(target))).isEqualTo(Status.OK));
    }
  }

  @Test
  void anInvalidProxyIsRefused() {
    assertThatThrownBy(() -> HttpProxy.of("", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> HttpProxy.of("a", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> HttpProxy.of("a", 1).withBasicAuthentication("a:b", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
