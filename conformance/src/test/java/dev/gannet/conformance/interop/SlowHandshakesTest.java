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
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** TLS, preface and first SETTINGS have one time together, in both roles. */
class SlowHandshakesTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG_BUT_FINITE = Duration.ofSeconds(5);

  @Test
  void aServerHangsUpOnWhoNeverBeginsTls() throws IOException {
    try (Server server = patientFor(SHORT).credentials(TestCredentials.ofServer()).start();
        Socket mute = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      mute.setSoTimeout((int) LONG_BUT_FINITE.toMillis());
      assertThat(mute.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aServerHangsUpOnWhoNeverSpeaksHttp() throws IOException {
    try (Server server = patientFor(SHORT).start();
        Socket mute = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      mute.setSoTimeout((int) LONG_BUT_FINITE.toMillis());
      String words = new String(mute.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(words).contains("the preface and the first SETTINGS did not come within 50 ms");
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
        .hasMessageContaining("did not come within 50 ms");
  }

  private static ServerBuilder patientFor(Duration time) {
    return Server.builder(0)
        .connectionLimits(limits ->
            limits.withHttp2(http2 -> http2.withTimeouts(http2.timeouts().withHandshake(time))))
        .add(new InteropService());
  }

  private static void callMute(ChannelCredentials credentials) throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ManagedChannel channel =
            ManagedChannel.builder("localhost", mute.getLocalPort())
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .credentials(credentials)
                .connectionLimits(limits ->
                    limits.withHttp2(
                        http2 -> http2.withTimeouts(http2.timeouts().withHandshake(SHORT))))
                .build()) {
      TestServiceClient.of(channel)
          .withDeadline(LONG_BUT_FINITE)
          .emptyCall(Empty.getDefaultInstance());
    }
  }
}
