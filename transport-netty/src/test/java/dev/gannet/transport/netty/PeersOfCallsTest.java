package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Pem;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.api.stub.ResponseMetadata;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both sides of a call say whom they have reached, and by which TLS session. */
@Timeout(60)
final class PeersOfCallsTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  private static Pem pem(String name) throws IOException {
    try (InputStream in = PeersOfCallsTest.class.getResourceAsStream("/tls/" + name)) {
      return Pem.of(in);
    }
  }

  private static Server serve(ServerCredentials credentials) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .credentials(credentials)
        .add(EchoService.definition())
        .start();
  }

  private static ManagedChannelBuilder channelTo(Server server) {
    return ManagedChannel.builder("localhost", server.port());
  }

  private static SocketAddress addressOf(Server server) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  /** A wrapped call says what the inner one says. */
  private record Wrapping() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new Wrapped<>(next.newCall(method, options));
    }
  }

  private static final class Wrapped<Q, R> extends ForwardingClientCall<Q, R> {
    Wrapped(ClientCall<Q, R> call) {
      super(call);
    }
  }

  @Test
  void aResponseOverTlsNamesItsServerAndItsSession() throws Exception {
    ChannelCredentials trusting = ChannelCredentials.tls().withTrust(pem("localhost.pem"));
    try (Server server = serve(ServerCredentials.tls(identity()));
        ManagedChannel channel = channelTo(server).credentials(trusting).build()) {
      Response<byte[]> response =
          BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(response.message()).isEqualTo(MESSAGE);
      assertThat(response.peer()).hasValue(addressOf(server));
      SSLSession session = response.sslSession().orElseThrow();
      assertThat(session.getProtocol()).startsWith("TLSv1.");
      X509Certificate shown = (X509Certificate) session.getPeerCertificates()[0];
      assertThat(shown.getSubjectX500Principal().getName()).contains("CN=");
    }
  }

  /** Waits for the end of its call, and keeps what it is told of it. */
  private static final class Waiter
      implements Flow.Subscriber<byte[]>, ClientResponseObserver<byte[], byte[]> {
    private final CompletableFuture<ResponseMetadata> call = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    void assertSeen(SocketAddress server) {
      end.join();
      assertThat(call.join().peer()).hasValue(server);
      assertThat(call.join().sslSession().orElseThrow().getProtocol()).startsWith("TLSv1.");
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> requestStream) {
      call.complete(requestStream);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(byte[] response) {}

    @Override
    public void onError(Throwable thrown) {
      end.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }

    @Override
    public void onCompleted() {
      end.complete(null);
    }
  }

  @Test
  void aStreamOverTlsNamesItsServerAndItsSessionToCallersThatDoNotWait() throws Exception {
    ChannelCredentials trusting = ChannelCredentials.tls().withTrust(pem("localhost.pem"));
    CallOptions none = CallOptions.DEFAULT;
    try (Server server = serve(ServerCredentials.tls(identity()));
        ManagedChannel channel = channelTo(server).credentials(trusting).build()) {
      SubmissionPublisher<byte[]> requests = new SubmissionPublisher<>();
      Waiter subscriber = new Waiter();
      AsyncCalls.response(channel, EchoService.STREAM, none, requests, subscriber.call::complete)
          .subscribe(subscriber);
      requests.close();
      subscriber.assertSeen(addressOf(server));

      Waiter observer = new Waiter();
      ObserverCalls.bidiStreaming(channel, EchoService.STREAM, none, observer).onCompleted();
      observer.assertSeen(addressOf(server));
    }
  }

  private static TlsIdentity identity() throws IOException {
    return TlsIdentity.of(pem("localhost.pem"), pem("localhost.key"));
  }

  /** The context of a call that this server has served. */
  private static CallContext served(ServerCredentials credentials, ChannelCredentials ofClient)
      throws IOException {
    AtomicReference<CallContext> context = new AtomicReference<>();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server server =
            Server.builder(address)
                .credentials(credentials)
                .interceptHeaders((call, headers) -> context.set(call))
                .add(EchoService.definition())
                .start();
        ManagedChannel channel = channelTo(server).credentials(ofClient).build()) {
      BlockingCalls.unary(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(context.get().localAddress()).isEqualTo(addressOf(server));
    }
    return context.get();
  }

  @Test
  void aServedCallHasTheCertificatesOfItsClient() throws Exception {
    CallContext call =
        served(
            ServerCredentials.tls(identity())
                .withClientAuth(ServerCredentials.ClientAuth.REQUIRE, pem("localhost.pem")),
            ChannelCredentials.tls().withTrust(pem("localhost.pem")).withIdentity(identity()));
    assertThat(call.securityLevel()).isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(call.peerCertificates()).hasSize(1);
    X509Certificate own = (X509Certificate) call.peerCertificates().getFirst();
    assertThat(own.getSubjectX500Principal().getName()).contains("CN=");
  }

  @Test
  void aClientWithoutACertificateHasNone() throws Exception {
    CallContext call =
        served(
            ServerCredentials.tls(identity()),
            ChannelCredentials.tls().withTrust(pem("localhost.pem")));
    assertThat(call.sslSession()).isPresent();
    assertThat(call.securityLevel()).isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(call.peerCertificates()).isEmpty();
  }

  @Test
  void nothingProtectsAServedCallInTheClear() throws Exception {
    CallContext call = served(ServerCredentials.insecure(), ChannelCredentials.insecure());
    assertThat(call.securityLevel()).isEqualTo(SecurityLevel.NONE);
    assertThat(call.peerCertificates()).isEmpty();
  }

  @Test
  void aCallInTheClearHasAPeerAndNoSession() throws Exception {
    try (Server server = serve(ServerCredentials.insecure());
        ManagedChannel channel = channelTo(server).plaintext().intercept(new Wrapping()).build()) {
      Response<byte[]> response =
          BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(response.peer()).hasValue(addressOf(server));
      assertThat(response.sslSession()).isEmpty();
      try (BidiStreamingCall<byte[], byte[]> call =
          BlockingCalls.bidiStreaming(channel, EchoService.STREAM, CallOptions.DEFAULT)) {
        call.send(MESSAGE);
        assertThat(call.next()).isEqualTo(MESSAGE);
        assertThat(call.peer()).hasValue(addressOf(server));
        assertThat(call.sslSession()).isEqualTo(Optional.empty());
      }
    }
  }
}
