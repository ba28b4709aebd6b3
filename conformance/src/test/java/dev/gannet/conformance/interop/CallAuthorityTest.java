package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server is asked over TLS for nothing that its certificate does not name (gRFC A81). */
@Timeout(60)
final class CallAuthorityTest {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final AtomicReference<String> asked = new AtomicReference<>("");

  private final class Listening implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      asked.set(call.context().authority());
      return next.startCall(call, headers);
    }
  }

  private void call(ServerCredentials ofServer, ChannelCredentials ofClient, CallOptions... calls)
      throws IOException {
    try (Server server =
            Server.builder(0)
                .credentials(ofServer)
                .intercept(new Listening())
                .add(new InteropService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port())
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .credentials(ofClient)
                .build()) {
      for (CallOptions options : calls) {
        BlockingCalls.unary(
            channel,
            TestServiceMethods.EMPTY_CALL,
            options.withDeadline(LONGEST_WAIT),
            Empty.getDefaultInstance());
      }
    }
  }

  private static CallOptions as(String authority) {
    return CallOptions.DEFAULT.withAuthority(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TestCredentials.SERVER_NAME,
        "foo.test.google.fr:50051",
        "Other.Test.google.FR",
        "waterzooi.test.google.be",
        "a.test.youtube.com:443",
        "192.168.1.3",
        "192.168.1.3:443"
      })
  void whatTheCertificateNamesMayBeAskedFor(String authority) throws IOException {
    call(TestCredentials.ofServer(), TestCredentials.ofClient(), as(authority), as(authority));
    assertThat(asked).hasValue(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other.example",
        "test.google.fr",
        "a.b.test.google.fr",
        ".test.google.fr",
        "*.test.google.be",
        "waterzooi.test.google.be.example",
        "waterzooi.test.google.be@other.example",
        "waterzooi.test.google.be:1:2",
        "192.168.1.4",
        "[::1]:443",
        "*"
      })
  void whatItDoesNotNameMayNot(String authority) {
    assertThatThrownBy(
            () -> call(TestCredentials.ofServer(), TestCredentials.ofClient(), as(authority)))
        .isInstanceOf(StatusException.class)
        .hasMessage("UNAVAILABLE: the server's certificate does not name " + authority);
    assertThat(asked).hasValue("");
  }

  @Test
  void aCallThatMayNotCostsNoOtherCallOfItsConnection() {
    assertThatThrownBy(() ->
            call(
                TestCredentials.ofServer(),
                TestCredentials.ofClient(),
                CallOptions.DEFAULT,
                as("other.example")))
        .hasMessageContaining("does not name other.example");
    assertThat(asked).hasValue(TestCredentials.SERVER_NAME);
  }

  @Test
  void inTheClearNobodyShowsWhoHeIs() throws IOException {
    call(ServerCredentials.insecure(), ChannelCredentials.insecure(), as("other.example"));
    assertThat(asked).hasValue("other.example");
  }
}
