package dev.gannet.transport.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a peer can have TLS do without application data is bounded, in both roles and with both TLS
 * libraries; and honest peers are served whatever they make records of.
 */
@Timeout(60)
final class TlsFloodsTest {
  private static final String TOO_MANY_EMPTY =
      "too many EMPTY_TLS_RECORD: the limit is 30 at once and 600 per minute (withOffenceRate)";
  private static final String TOO_MANY_TINY =
      "too many TINY_TLS_RECORD: the limit is 1000 at once and 6000 per minute (withOffenceRate)";

  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] SETTINGS_ACK = {0, 0, 0, 4, 1, 0, 0, 0, 0};
  private static final int PING = 6;
  private static final int UNKNOWN = 0x77;
  private static final int ACK = 1;
  private static final int FRAME_HEADER_BYTES = 9;
  private static final byte[] LAST_PING = "lastping".getBytes(US_ASCII);

  private static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.of(MethodType.BIDI_STREAMING, "test.Echo/Echo", new Bytes(), new Bytes());

  private static final int FLOOD = 200;
  private static final int FRAMES = 1500;
  private static final int HONEST_KEY_UPDATES = 20;

  private final List<Server> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(Server::close);
  }

  /** Makes a call so that there is a connection. */
  private static final class Nobody implements ClientCall.Listener<byte[]> {}

  private static InputStream file(String name) {
    return TlsFloodsTest.class.getResourceAsStream("/tls/" + name);
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream in = file(name)) {
      return Pem.of(in);
    }
  }

  private static NettyPipes pipes(SslProvider provider) {
    assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable());
    return new NettyPipes(NettyEventLoops::shared, () -> provider);
  }

  private Server serve(SslProvider provider) throws IOException {
    return serve(provider, UnaryOperator.identity());
  }

  private Server serve(SslProvider provider, UnaryOperator<TransportLimits> limits)
      throws IOException {
    TlsIdentity identity = TlsIdentity.of(pem("localhost.pem"), pem("localhost.key"));
    Server server =
        Server.builder(0)
            .credentials(ServerCredentials.tls(identity))
            .transport(Http2Transport.over(pipes(provider)))
            .transportLimits(limits)
            .start();
    servers.add(server);
    return server;
  }

  private static Socket connectedTo(Server server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  /** A client that has begun to speak HTTP/2. */
  private static TlsPeer client(Server server) throws Exception {
    TlsPeer client = TlsPeer.client(connectedTo(server));
    client.write(PREFACE);
    client.write(SETTINGS);
    client.write(SETTINGS_ACK);
    return client;
  }

  private static byte[] frame(int type, byte... payload) {
    return ByteBuffer.allocate(FRAME_HEADER_BYTES + payload.length)
        .putShort((short) (payload.length >> Byte.SIZE))
        .put((byte) payload.length)
        .put((byte) type)
        .put((byte) 0)
        .putInt(0)
        .put(payload)
        .array();
  }

  /** An answer to a PING comes: all before it was taken. */
  private static void isServed(TlsPeer peer) throws IOException {
    peer.write(frame(PING, LAST_PING));
    String wanted = (char) PING + "" + (char) ACK + "\0\0\0\0" + new String(LAST_PING, ISO_8859_1);
    StringBuilder heard = new StringBuilder();
    while (heard.indexOf(wanted) < 0) {
      byte[] some = peer.read();
      assertThat(some).as("after %s", heard).isNotEmpty();
      heard.append(new String(some, ISO_8859_1));
    }
  }

  /** The peer is told why before it is closed, and its fault is counted once. */
  private static void isCutOff(TlsPeer client, Server server, Offence offence, String words)
      throws IOException {
    assertThat(new String(client.readAll(), ISO_8859_1)).contains(words);
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.ABUSE, 1L));
    assertThat(server.offences()).isEqualTo(Map.of(offence, 1L));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void keyUpdatesInALoopCloseTheConnection(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = client(server)) {
      for (int i = 0; i < FLOOD; i++) {
        client.updateKeys();
      }
      isCutOff(client, server, Offence.EMPTY_TLS_RECORD, TOO_MANY_EMPTY);
    }
  }

  /** BoringSSL counts those alone between which nothing else comes. */
  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void keyUpdatesBetweenFramesCloseTheConnection(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = client(server)) {
      for (int i = 0; i < FLOOD; i++) {
        client.updateKeys();
        client.write(frame(UNKNOWN, new byte[100]));
      }
      isCutOff(client, server, Offence.EMPTY_TLS_RECORD, TOO_MANY_EMPTY);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void occasionalKeyUpdatesAreAllowed(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = client(server)) {
      for (int i = 0; i < HONEST_KEY_UPDATES; i++) {
        client.updateKeys();
      }
      isServed(client);
    }
    assertThat(server.peerFaults()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void framesInRecordsOfOneOctetCloseTheConnection(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = client(server)) {
      client.write(frame(UNKNOWN, new byte[1 << 14]), 1);
      isCutOff(client, server, Offence.TINY_TLS_RECORD, TOO_MANY_TINY);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void longFramesInRecordsOfNineOctetsAreAllowed(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = client(server)) {
      for (int i = 0; i < 4; i++) { // more than one pass reads
        client.write(frame(UNKNOWN, new byte[1 << 14]), 9);
      }
      isServed(client);
    }
    assertThat(server.peerFaults()).isEmpty();
  }

  /** Header, prefix and message as records of their own. */
  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void partsOfAFrameAsRecordsAreAllowed(SslProvider provider) throws Exception {
    Server server =
        serve(provider, limits -> limits.withOffenceRate(Offence.WITHOUT_EFFECT, FRAMES, 1));
    try (TlsPeer client = client(server)) {
      byte[] frame = frame(UNKNOWN, new byte[8]);
      for (int i = 0; i < FRAMES; i++) {
        client.write(Arrays.copyOf(frame, 9));
        client.write(Arrays.copyOfRange(frame, 9, 14));
        client.write(Arrays.copyOfRange(frame, 14, 17));
      }
      isServed(client);
    }
    assertThat(server.peerFaults()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void limitsCanBeChanged(SslProvider provider) throws Exception {
    Server server =
        serve(provider, limits -> limits.withOffenceRate(Offence.EMPTY_TLS_RECORD, 2, 1));
    try (TlsPeer client = client(server)) {
      for (int i = 0; i < 3; i++) {
        client.updateKeys();
      }
      isCutOff(
          client,
          server,
          Offence.EMPTY_TLS_RECORD,
          "too many EMPTY_TLS_RECORD: the limit is 2 at once and 1 per minute (withOffenceRate)");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aHandshakeInRecordsOfOneOctetIsRefused(SslProvider provider) throws Exception {
    Server server = serve(provider);
    try (TlsPeer client = TlsPeer.dribblingClient(connectedTo(server))) {
      assertThatThrownBy(client::shakeHands).isInstanceOf(IOException.class);
    }
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.HANDSHAKE_FAILED, 1L));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aServerThatUpdatesKeysInALoopIsClosed(SslProvider provider) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(0, 1, here);
        ManagedChannel channel =
            ManagedChannel.builder("localhost", listening.getLocalPort())
                .credentials(ChannelCredentials.tls().withTrust(pem("localhost.pem")))
                .transport(Http2Transport.over(pipes(provider)))
                .build()) {
      channel.newCall(METHOD, CallOptions.DEFAULT).start(new Nobody());
      try (TlsPeer peer =
          TlsPeer.server(listening.accept(), file("localhost.pem"), file("localhost.key"))) {
        peer.write(SETTINGS);
        for (int i = 0; i < FLOOD; i++) {
          peer.updateKeys();
        }
        assertThat(new String(peer.readAll(), ISO_8859_1)).contains("EMPTY_TLS_RECORD");
      }
      assertThat(channel.peerFaults()).isEqualTo(Map.of(PeerFault.ABUSE, 1L));
      assertThat(channel.offences()).isEqualTo(Map.of(Offence.EMPTY_TLS_RECORD, 1L));
      channel.shutdownNow(); // the call would wait for the next connection, which nobody accepts
    }
  }
}
