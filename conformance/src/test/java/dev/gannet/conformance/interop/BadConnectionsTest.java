package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerCredentials.ClientAuth;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TlsIdentity;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.server.Server;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections that cannot be, over real sockets: each fails soon, with words that say what to do.
 */
class BadConnectionsTest {
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);
  private static final String NAMED = "foo.test.google.fr";

  private Server plaintext;
  private Server tls;
  private Server mutualTls;

  @BeforeEach
  void start() throws IOException {
    TlsIdentity identity = identity();
    plaintext = Server.builder(0).plaintext().add(new InteropService()).start();
    tls =
        Server.builder(0)
            .credentials(ServerCredentials.tls(identity))
            .add(new InteropService())
            .start();
    mutualTls =
        Server.builder(0)
            .credentials(
                ServerCredentials.tls(identity).withClientAuth(ClientAuth.REQUIRE, pem("ca.pem")))
            .add(new InteropService())
            .start();
  }

  @AfterEach
  void stop() {
    plaintext.close();
    tls.close();
    mutualTls.close();
  }

  @Test
  void aPlaintextClientOnATlsPortGetsAHintAboutTls() {
    assertThat(failureOf(to(tls).plaintext()))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("does it expect TLS?");
  }

  @Test
  void aTlsClientOnAPlaintextPortIsToldThatTheServerHasNoTls() {
    assertThat(failureOf(trusting(plaintext)))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("does not speak TLS on this port");
  }

  @Test
  void aCertificateThatNamesAnotherHostIsNotAccepted() {
    assertThat(failureOf(trusting(tls).overrideAuthority("elsewhere.example")))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("the server's certificate is not accepted")
        .hasMessageContaining("elsewhere.example");
  }

  @Test
  void anUntrustedIssuerIsNotAccepted() {
    assertThat(failureOf(to(tls).credentials(ChannelCredentials.tls())))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("the server's certificate is not accepted");
  }

  @Test
  void aServerThatRequiresACertificateRefusesClientsWithoutOne() {
    assertThat(failureOf(trusting(mutualTls)))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageMatching("(?s).*(certificate_required|bad_certificate).*"); // the JDK of 21
  }

  @Test
  void aServerThatRequiresACertificateServesClientsWithOne() throws IOException {
    ChannelCredentials both =
        ChannelCredentials.tls().withTrust(pem("ca.pem")).withIdentity(identity());
    call(to(mutualTls).overrideAuthority(NAMED).credentials(both));
  }

  @Test
  void withoutAListenerTheConnectionIsRefused() {
    int port = plaintext.port();
    plaintext.close();
    assertThat(failureOf(ManagedChannel.builder("localhost", port).plaintext()))
        .hasMessageContaining("UNAVAILABLE: cannot connect to localhost:" + port)
        .hasMessageContaining("Connection refused");
  }

  @Test
  void anUnknownHostIsNamed() {
    assertThat(
            failureOf(
                ManagedChannel.builder("no.such.host.invalid:1")
                    .addNameResolver(NameResolverProvider.dns())
                    .plaintext()))
        .hasMessageContaining("UNAVAILABLE")
        .hasMessageContaining("unknown host no.such.host.invalid");
  }

  @Test
  void aPortInUseIsNamed() {
    assertThatThrownBy(() -> Server.builder(plaintext.port()).plaintext().start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on 0.0.0.0:" + plaintext.port())
        .hasMessageContaining("Address already in use");
  }

  @Test
  void anAddressOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> Server.builder(new Elsewhere()).start())
        .isInstanceOf(IOException.class)
        .hasMessage("cannot listen on elsewhere: not an address of TCP or a Unix domain socket");
  }

  /** An address that no transport knows. */
  private static final class Elsewhere extends SocketAddress {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return "elsewhere";
    }
  }

  @Test
  void anInvalidAuthorityIsRefusedAtOnce() {
    assertThatThrownBy(() -> to(plaintext).plaintext().overrideAuthority("tenant/a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tenant/a");
  }

  @Test
  void invalidPemIsRefusedAsCredentials() throws IOException {
    Pem nonsense = Pem.of(new ByteArrayInputStream("nonsense".getBytes(StandardCharsets.US_ASCII)));
    ServerCredentials ofServer = ServerCredentials.tls(TlsIdentity.of(nonsense, nonsense));
    assertThatThrownBy(() -> Server.builder(0).credentials(ofServer).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the server's TLS credentials cannot be used");
    ChannelCredentials ofChannel = ChannelCredentials.tls().withTrust(nonsense);
    assertThatThrownBy(() -> ManagedChannel.builder("localhost", 1).credentials(ofChannel).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the channel's TLS credentials cannot be used");
  }

  private record OfNobodysMaking() implements ChannelCredentials, ServerCredentials {}

  @Test
  void credentialsOfAnUnknownKindAreRefused() {
    assertThatThrownBy(() -> Server.builder(0).credentials(new OfNobodysMaking()).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the server's credentials have a type")
        .hasMessageContaining(OfNobodysMaking.class.getName());
    assertThatThrownBy(
            () -> ManagedChannel.builder("localhost", 1).credentials(new OfNobodysMaking()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the channel's credentials have a type");
  }

  @Test
  void aCallOnAClosedChannelSaysSo() {
    ManagedChannel channel = to(plaintext).plaintext().build();
    channel.close();
    assertThatThrownBy(() -> client(channel).emptyCall(Empty.getDefaultInstance()))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("UNAVAILABLE: the channel is shut down");
  }

  @Test
  void aMessageOverTheLimitDoesNotEndTheConnection() {
    ByteString content = ByteString.copyFrom(new byte[5 << 20]);
    SimpleRequest tooLong =
        SimpleRequest.newBuilder().setPayload(Payload.newBuilder().setBody(content)).build();
    try (ManagedChannel channel = to(plaintext).plaintext().build()) {
      assertThatThrownBy(() -> client(channel).unaryCall(tooLong))
          .isInstanceOf(StatusException.class)
          .hasMessageContaining("RESOURCE_EXHAUSTED")
          .hasMessageContaining("maxInboundMessageBytes (4194304); raise it in ");
      client(channel).emptyCall(Empty.getDefaultInstance());
    }
  }

  private static ManagedChannelBuilder to(Server server) {
    return ManagedChannel.builder("localhost", server.port());
  }

  private static ManagedChannelBuilder trusting(Server server) {
    try {
      return to(server)
          .overrideAuthority(NAMED)
          .credentials(ChannelCredentials.tls().withTrust(pem("ca.pem")));
    } catch (IOException e) {
      throw new AssertionError("the tests' certificates are on the class path", e);
    }
  }

  private static TestServiceClient client(ManagedChannel channel) {
    return TestServiceClient.of(channel).withDeadline(MAX_WAIT);
  }

  private static void call(ManagedChannelBuilder builder) {
    try (ManagedChannel channel = builder.build()) {
      client(channel).emptyCall(Empty.getDefaultInstance());
    }
  }

  private static StatusException failureOf(ManagedChannelBuilder builder) {
    try {
      call(builder);
    } catch (StatusException e) {
      assertThat(e.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      return e;
    }
    throw new AssertionError("the call succeeded");
  }

  private static TlsIdentity identity() throws IOException {
    return TlsIdentity.of(pem("server1.pem"), pem("server1.key"));
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream file = BadConnectionsTest.class.getResourceAsStream("/certs/" + name)) {
      return Pem.of(Objects.requireNonNull(file, name));
    }
  }
}
