package dev.gannet.conformance.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.transport.PeerFault;
import dev.gannet.server.Server;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody negotiates TLS 1.2 again on a connection that is set up (RFC 9113 §9.2.1). */
@Timeout(60)
final class RenegotiationTest {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  private static final int PONG_FLAGS_AND_TYPE = 0x0601;

  private final Server server =
      Server.builder(0).credentials(TestCredentials.ofServer()).add(new InteropService()).start();

  RenegotiationTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aClientThatRenegotiatesIsClosedAndCounted() throws Exception {
    try (SSLSocket client = connected()) {
      speaksHttp2(client);
      client.startHandshake(); // asks, and does not wait
      assertThatThrownBy(client.getInputStream()::readAllBytes).isInstanceOf(IOException.class);
    }
    server.close();
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.PROTOCOL_VIOLATION, 1L));
  }

  @Test
  void aClientThatDoesNotRenegotiateIsServed() throws Exception {
    try (SSLSocket client = connected()) {
      speaksHttp2(client);
      speaksHttp2(client, PING);
    }
    server.close();
    assertThat(server.peerFaults()).isEmpty();
  }

  private SSLSocket connected() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.2"});
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static void speaksHttp2(SSLSocket client) throws IOException {
    client.getOutputStream().write(PREFACE);
    client.getOutputStream().write(EMPTY_SETTINGS);
    speaksHttp2(client, PING);
  }

  /** Waits for the answer to a PING. */
  private static void speaksHttp2(SSLSocket client, byte[] ping) throws IOException {
    client.getOutputStream().write(ping);
    InputStream in = client.getInputStream();
    int typeAndFlags;
    do {
      byte[] header = in.readNBytes(9);
      assertThat(header).hasSize(9);
      typeAndFlags = header[3] << 8 | header[4];
      in.readNBytes((header[0] & 0xff) << 16 | (header[1] & 0xff) << 8 | (header[2] & 0xff));
    } while (typeAndFlags != PONG_FLAGS_AND_TYPE);
  }
}
