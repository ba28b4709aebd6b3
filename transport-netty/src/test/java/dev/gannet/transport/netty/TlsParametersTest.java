package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.Listening;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider.Accepting;
import dev.gannet.transport.pipe.PipeProvider.Connecting;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * TLS 1.2 and 1.3 with suites that RFC 9113 does not prohibit (appendix A), and HTTP/2 by ALPN:
 * without that there is no pipe, in either role.
 */
@Timeout(60)
final class TlsParametersTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final long LONG_SECONDS = 30;
  private static final String NO_HTTP2 =
      "the other side speaks TLS but does not offer HTTP/2 (ALPN h2)";

  // RFC 8446 §4.1.2, §6; RFC 5246 §7.4.1.2
  private static final String TLS_1_1 = "0302";
  private static final String TLS_1_2 = "0303";
  private static final String OLD_SUITES = "c013c014002f0035"; // CBC
  private static final String NEW_SUITE = "c02f"; // TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;
  private static final int HANDSHAKE_FAILURE = 40;
  private static final int PROTOCOL_VERSION = 70;

  /** RFC 8446 §9.1, RFC 8422, RFC 5289, RFC 7905: forward secrecy and AEAD. */
  private static final List<String> SUITES_OF_HTTP2 =
      List.of("1301", "1302", "1303", "c02b", "c02c", "c02f", "c030", "cca8", "cca9");

  /** The renegotiation_info and fallback signals are no suites. */
  private static final List<String> SIGNALS = List.of("00ff", "5600");

  private final InetAddress here = InetAddress.getLoopbackAddress();
  private final Attempt attempt = new Attempt();
  private final Listening server;

  TlsParametersTest() throws IOException {
    TlsIdentity identity = TlsIdentity.of(pem("localhost.pem"), pem("localhost.key"));
    server =
        new NettyPipes()
            .listen(new InetSocketAddress(here, 0), ServerCredentials.tls(identity), attempt);
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream in = TlsParametersTest.class.getResourceAsStream("/tls/" + name)) {
      return Pem.of(in);
    }
  }

  @AfterEach
  void stop() {
    server.close(() -> {});
  }

  /** What comes of one connection, in either role. */
  private static final class Attempt
      implements Accepting, Listening.Owner, Connecting, PipeListener {
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CompletableFuture<Pipe> opened = new CompletableFuture<>();

    String failure() throws Exception {
      return failure.get(LONG_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      opened.complete(pipe);
      return this;
    }

    @Override
    public void onFailed(String why) {
      failure.complete(why);
    }

    @Override
    public Listening.Owner owner() {
      return this;
    }

    @Override
    public boolean admit(SocketAddress remote) {
      return true;
    }

    @Override
    public void onFailed(SocketAddress remote, String why) {
      onFailed(why);
    }

    @Override
    public void onGone(SocketAddress remote) {}

    @Override
    public void onNotAccepted() {}

    @Override
    public void onStopped() {}

    @Override
    public SocketOptions socketOptions() {
      return SocketOptions.DEFAULT;
    }

    @Override
    public ConnectionLimits connectionLimits() {
      return ConnectionLimits.of(
          TransportSettings.OF_SERVERS.withLimits(
              limits -> limits.withHandshakeTimeout(Duration.ofSeconds(LONG_SECONDS))));
    }

    @Override
    public void onBytes(ByteBuffer bytes) {}

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }

  private Socket connected() throws IOException {
    InetSocketAddress address = (InetSocketAddress) server.address();
    return new Socket(here, address.getPort());
  }

  private void shakeHands(String... protocols) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (Socket plain = connected();
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", 0, true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      attempt.opened.applyToEither(attempt.failure.thenApply(why -> null), it -> it).get();
    }
  }

  @Test
  void aServerAcceptsClientsThatOfferHttp2() throws Exception {
    shakeHands("http/1.1", "h2");
    assertThat(attempt.opened).isDone();
  }

  @Test
  void aServerRefusesClientsThatOfferNoProtocol() throws Exception {
    shakeHands();
    assertThat(attempt.failure()).isEqualTo(NO_HTTP2);
    assertThat(attempt.opened).isNotDone();
  }

  @Test
  void aServerRefusesClientsThatOfferAnotherProtocol() throws Exception {
    shakeHands("http/1.1");
    assertThat(attempt.failure()).isEqualTo(NO_HTTP2);
    assertThat(attempt.opened).isNotDone();
  }

  /** The first record that the server answers a ClientHello with: its type and its last octet. */
  private List<Integer> answerTo(String version, String suites) throws IOException {
    String extensions =
        "000a0006000400170018" // groups: secp256r1, secp384r1
            + "000b00020100" // points: uncompressed
            + "000d0006000408040401"; // signatures: rsa_pss_rsae_sha256, rsa_pkcs1_sha256
    String hello =
        version
            + "5a".repeat(32) // random
            + "00" // no session
            + prefixed(2, suites)
            + "0100" // no compression
            + prefixed(2, extensions);
    byte[] record = HEX.parseHex("160301" + prefixed(2, "01" + prefixed(3, hello)));
    try (Socket socket = connected()) {
      socket.getOutputStream().write(record);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      int type = in.readUnsignedByte();
      in.readUnsignedShort();
      byte[] content = in.readNBytes(in.readUnsignedShort());
      return List.of(type, content[content.length - 1] & 0xff);
    }
  }

  private static String prefixed(int octets, String hex) {
    return HEX.toHexDigits(hex.length() / 2, 2 * octets) + hex;
  }

  @Test
  void aServerAcceptsTls12WithASuiteOfHttp2() throws IOException {
    assertThat(answerTo(TLS_1_2, NEW_SUITE).getFirst()).isEqualTo(HANDSHAKE);
  }

  @Test
  void aServerRefusesSuitesThatHttp2Prohibits() throws IOException {
    assertThat(answerTo(TLS_1_2, OLD_SUITES)).containsExactly(ALERT, HANDSHAKE_FAILURE);
  }

  @Test
  void aServerRefusesTlsBefore12() throws IOException {
    assertThat(answerTo(TLS_1_1, OLD_SUITES)).containsExactly(ALERT, PROTOCOL_VERSION);
  }

  private void connectTo(ServerSocket listening) throws IOException {
    ChannelCredentials credentials = ChannelCredentials.tls().withTrust(pem("localhost.pem"));
    new NettyPipes()
        .connector(credentials)
        .connect(listening.getLocalSocketAddress(), "localhost", attempt);
  }

  /** What a client of ours begins with. */
  private byte[] helloOfClient() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, here)) {
      connectTo(listening);
      try (Socket client = listening.accept()) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        in.skipNBytes(3);
        return in.readNBytes(in.readUnsignedShort());
      }
    }
  }

  @Test
  void aClientOffersOnlyWhatHttp2Allows() throws IOException {
    ByteBuffer hello = ByteBuffer.wrap(helloOfClient());
    hello.position(4 + 2 + 32); // the message's head, the version's last honour, random
    skip(hello, hello.get() & 0xff);
    byte[] suites = new byte[hello.getShort()];
    hello.get(suites);
    assertThat(HEX.formatHex(suites).split("(?<=\\G.{4})"))
        .filteredOn(it -> !SIGNALS.contains(it) && !isGrease(it))
        .contains(NEW_SUITE)
        .isSubsetOf(SUITES_OF_HTTP2);
    skip(hello, hello.get() & 0xff);
    hello.getShort();
    String rest = HEX.formatHex(Arrays.copyOfRange(hello.array(), hello.position(), hello.limit()));
    assertThat(rest).contains("0010" + "0005" + "0003" + "02" + "6832"); // ALPN, h2 alone
    assertThat(rest).contains("002b" + "0005" + "04" + "0304" + "0303"); // TLS 1.3 and 1.2 alone
  }

  private static void skip(ByteBuffer bytes, int count) {
    bytes.position(bytes.position() + count);
  }

  /** RFC 8701: values that mean nothing. */
  private static boolean isGrease(String value) {
    return value.matches("([0-9a-f]a)\\1");
  }

  @Test
  void aClientRefusesServersThatDoNotChooseHttp2() throws Exception {
    JdkSslContext made =
        (JdkSslContext)
            SslContextBuilder.forServer(pem("localhost.pem").open(), pem("localhost.key").open())
                .sslProvider(SslProvider.JDK)
                .build();
    try (ServerSocket listening =
        made.context().getServerSocketFactory().createServerSocket(0, 1, here)) {
      connectTo(listening);
      try (SSLSocket client = (SSLSocket) listening.accept()) {
        client.startHandshake();
        assertThat(attempt.failure()).isEqualTo(NO_HTTP2);
      }
    }
    assertThat(attempt.opened).isNotDone();
  }
}
