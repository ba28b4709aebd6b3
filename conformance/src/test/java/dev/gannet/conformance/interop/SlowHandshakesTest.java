package dev.gannet.conformance.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.TestServiceClient;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;

/** TLS, preface and first SETTINGS have one time together, in both roles. */
class SlowHandshakesTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG_BUT_FINITE = Duration.ofSeconds(5);

  @Test
  void aServerClosesAConnectionWithoutATlsHandshake() throws IOException {
    try (Server server = patientFor(SHORT).credentials(TestCredentials.ofServer()).start();
        Socket mute = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      mute.setSoTimeout((int) LONG_BUT_FINITE.toMillis());
      assertThat(mute.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aServerClosesAConnectionWithoutAPreface() throws IOException {
    try (Server server = patientFor(SHORT).start();
        Socket mute = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      mute.setSoTimeout((int) LONG_BUT_FINITE.toMillis());
      String words = new String(mute.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(words).contains("the preface and the first SETTINGS did not arrive within 50 ms");
    }
  }

  @Test
  void aClientGivesUpAServerThatNeverBeginsTls() throws IOException {
    assertThatThrownBy(() -> callMute(TestCredentials.ofClient()))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("handshake");
  }

  @Test
  void aClientGivesUpAServerThatNeverSpeaksHttp() {
    assertThatThrownBy(() -> callMute(ChannelCredentials.insecure()))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("did not arrive within 50 ms (handshakeTimeout)");
  }

  @Test
  void aHandshakeAfterTheEndOfTheServerIsNotServed() throws Exception {
    Server server = patientFor(LONG_BUT_FINITE).credentials(TestCredentials.ofServer()).start();
    try (Socket late = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      late.setSoTimeout((int) LONG_BUT_FINITE.toMillis());
      callBehind(server);
      assertThat(server.shutdown().awaitTermination(LONG_BUT_FINITE)).isTrue();
      SSLSocket secured = (SSLSocket) trustingAll().createSocket(late, "localhost", 0, true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      assertThat(secured.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** Connections are taken in the order in which they come. */
  private static void callBehind(Server server) throws IOException {
    try (ManagedChannel channel =
        ManagedChannel.builder("localhost", server.port())
            .overrideAuthority(TestCredentials.SERVER_NAME)
            .credentials(TestCredentials.ofClient())
            .build()) {
      TestServiceClient.of(channel).emptyCall(Empty.getDefaultInstance());
    }
  }

  private static SSLSocketFactory trustingAll() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    return context.getSocketFactory();
  }

  private static ServerBuilder patientFor(Duration time) {
    return Server.builder(0)
        .plaintext()
        .transportLimits(limits -> limits.withHandshakeTimeout(time))
        .add(new InteropService());
  }

  private static void callMute(ChannelCredentials credentials) throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ManagedChannel channel =
            ManagedChannel.builder("localhost", mute.getLocalPort())
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .credentials(credentials)
                .transportLimits(limits -> limits.withHandshakeTimeout(SHORT))
                .build()) {
      TestServiceClient.of(channel)
          .withDeadline(LONG_BUT_FINITE)
          .emptyCall(Empty.getDefaultInstance());
    }
  }
}
