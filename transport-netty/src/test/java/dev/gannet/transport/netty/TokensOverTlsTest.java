package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Over TLS a real server sees the {@code authorization} of a client's call credentials. */
@Timeout(60)
final class TokensOverTlsTest {
  private static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.ascii("authorization");

  @TempDir private Path folder = Path.of("");

  /** Answers with the values of the header, each on a line of its own. */
  private record Answering(ServerCall<byte[], byte[]> call, List<String> seen)
      implements ServerCall.Listener<byte[]> {
    static ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
      call.request(2);
      return new Answering(call, headers.getAll(AUTHORIZATION));
    }

    @Override
    public void onHalfClose() {
      call.sendMessage(String.join("\n", seen).getBytes(StandardCharsets.UTF_8));
      call.close(Status.OK, new Metadata());
    }
  }

  private static Server serve(ServerCredentials credentials) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .credentials(credentials)
        .add(
            ServerServiceDefinition.of(
                EchoService.NAME,
                List.of(ServerMethodDefinition.of(EchoService.UNARY, Answering::begin))))
        .start();
  }

  private static Server serveTls() throws IOException {
    return serve(
        ServerCredentials.tls(
            TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.key"))));
  }

  private static ManagedChannelBuilder channelTo(Server server) {
    return ManagedChannel.builder("localhost", server.port());
  }

  private static ChannelCredentials trusting() throws IOException {
    return ChannelCredentials.tls().withTrust(TlsFiles.pem("localhost.pem"));
  }

  private static String seen(ManagedChannel channel, CallOptions options) {
    byte[] answer = BlockingCalls.unary(channel, EchoService.UNARY, options, new byte[0]);
    return new String(answer, StandardCharsets.UTF_8);
  }

  private static String seen(ManagedChannel channel) {
    return seen(channel, CallOptions.DEFAULT);
  }

  /** In one step, as those who renew tokens do it. */
  private Path put(String token) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), token);
    return Files.move(next, folder.resolve("token"), StandardCopyOption.ATOMIC_MOVE);
  }

  @ParameterizedTest
  @CsvSource({
    "Aladdin, open sesame, Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
    "test, 123£, Basic dGVzdDoxMjPCow=="
  })
  void aNameAndAPasswordAreSentAsInRfc7617(String user, String password, String header)
      throws IOException {
    CallCredentials basic = CallCredentials.basic(user, password);
    try (Server server = serveTls();
        ManagedChannel ofChannel =
            channelTo(server).credentials(trusting().withCallCredentials(basic)).build();
        ManagedChannel bare = channelTo(server).credentials(trusting()).build()) {
      assertThat(seen(ofChannel)).isEqualTo(header);
      assertThat(seen(bare, CallOptions.DEFAULT.withCallCredentials(basic))).isEqualTo(header);
      assertThat(seen(bare)).isEmpty();
    }
  }

  @Test
  void callsCarryTheTokenThatIsInTheFileNow() throws IOException {
    CallCredentials tokens = CallCredentials.tokenFile(put("one\n"));
    try (Server server = serveTls();
        ManagedChannel channel =
            channelTo(server).credentials(trusting().withCallCredentials(tokens)).build()) {
      assertThat(seen(channel)).isEqualTo("Bearer one");
      put("another");
      assertChanges(channel, "Bearer one", "Bearer another");
      put("besides"); // as long as the last
      assertChanges(channel, "Bearer another", "Bearer besides");
    }
  }

  /** Each call carries one or the other, and from some call on all carry the other. */
  private static void assertChanges(ManagedChannel channel, String from, String to) {
    String last = seen(channel);
    while (last.equals(from)) { // until the file is looked at again
      last = seen(channel);
    }
    assertThat(last).isEqualTo(to);
    for (int i = 0; i < 20; i++) {
      assertThat(seen(channel)).isEqualTo(to);
    }
  }

  @Test
  void callsFailWithoutTheFileUntilItIsThereAgain() throws IOException {
    Path file = put("one");
    CallCredentials tokens = CallCredentials.tokenFile(file, Duration.ZERO);
    try (Server server = serveTls();
        ManagedChannel channel =
            channelTo(server).credentials(trusting().withCallCredentials(tokens)).build()) {
      assertThat(seen(channel)).isEqualTo("Bearer one");
      Files.delete(file);
      assertThatThrownBy(() -> callUntilRefused(channel))
          .hasMessageContaining("UNAVAILABLE")
          .hasMessageContaining("cannot be read: there is no such file");
      put("two");
      assertThat(seenAfterBackoff(channel)).isEqualTo("Bearer two");
    }
  }

  /** Calls fail until the file is read again. */
  private static String seenAfterBackoff(ManagedChannel channel) {
    while (true) {
      try {
        return seen(channel);
      } catch (StatusException e) {
        assertThat(e.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      }
    }
  }

  private static void callUntilRefused(ManagedChannel channel) {
    while (true) {
      assertThat(seen(channel)).isEqualTo("Bearer one");
    }
  }

  @Test
  void aTokenIsNotSentInTheClear() throws IOException {
    CallOptions options =
        CallOptions.DEFAULT.withCallCredentials(CallCredentials.tokenFile(put("one")));
    try (Server server = serve(ServerCredentials.insecure());
        ManagedChannel channel = channelTo(server).plaintext().build()) {
      assertThatThrownBy(() -> seen(channel, options))
          .hasMessageContaining("UNAUTHENTICATED")
          .hasMessageContaining("use TLS");
    }
  }
}
