package dev.gannet.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.auth.Credentials;
import com.google.auth.Retryable;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.UserCredentials;
import com.sun.net.httpserver.HttpServer;
import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What google-auth-library gives is sent with calls. */
@Timeout(60)
final class GoogleCallCredentialsTest {
  private static final MethodDescriptor<String, String> HEADER =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Headers/Header", Marshallers.utf8(), Marshallers.utf8());

  private static final Metadata.Key<byte[]> BINARY = Metadata.Key.binary("proof-bin");

  private final Server server;
  private final ManagedChannel channel;

  GoogleCallCredentialsTest() throws IOException {
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .add(
                ServerServiceDefinition.of(
                    "test.Headers",
                    List.of(ServerMethodDefinition.of(HEADER, GoogleCallCredentialsTest::answer))))
            .start();
    channel = ManagedChannel.builder(server.address()).plaintext().build();
  }

  @AfterEach
  void end() {
    channel.close();
    server.close();
  }

  /** The header that the request names, or what the binary one holds. */
  private static ServerCall.Listener<String> answer(
      ServerCall<String, String> call, Metadata headers) {
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(String name) {
        String value =
            name.equals("proof-bin")
                ? new String(headers.get(BINARY).orElseThrow(), StandardCharsets.US_ASCII)
                : headers.get(Metadata.Key.ascii(name)).orElse("none");
        call.sendMessage(value);
        call.close(Status.OK, new Metadata());
      }
    };
  }

  private String call(Credentials credentials, String name) {
    CallCredentials ofCalls = GoogleCallCredentials.of(credentials).overPlaintext();
    return call(ofCalls, name);
  }

  private String call(CallCredentials credentials, String name) {
    CallOptions options = CallOptions.DEFAULT.withCallCredentials(credentials);
    return BlockingCalls.unary(channel, HEADER, options, name);
  }

  private Status failure(Credentials credentials) {
    try {
      call(credentials, "authorization");
      throw new AssertionError("the call went well");
    } catch (StatusException e) {
      return e.status();
    }
  }

  /** Credentials in a test's hand. */
  private abstract static class Made extends Credentials {
    private static final long serialVersionUID = 1;

    @Override
    public String getAuthenticationType() {
      return "made";
    }

    @Override
    public boolean hasRequestMetadata() {
      return true;
    }

    @Override
    public boolean hasRequestMetadataOnly() {
      return true;
    }

    @Override
    public void refresh() {}
  }

  private static Credentials giving(Map<String, List<String>> headers) {
    return new Made() {
      @Override
      public Map<String, List<String>> getRequestMetadata(URI uri) {
        return headers;
      }
    };
  }

  private static Credentials failing(IOException why) {
    return new Made() {
      @Override
      public Map<String, List<String>> getRequestMetadata(URI uri) throws IOException {
        throw why;
      }
    };
  }

  private static final class Refusal extends IOException implements Retryable {
    private static final long serialVersionUID = 1;

    private final boolean retryable;

    Refusal(boolean retryable) {
      super("the account is refused");
      this.retryable = retryable;
    }

    @Override
    public boolean isRetryable() {
      return retryable;
    }

    @Override
    public int getRetryCount() {
      return 0;
    }
  }

  @Test
  void aTokenIsSentAsBearer() {
    Date later = Date.from(Instant.now().plusSeconds(3600));
    Credentials credentials = GoogleCredentials.create(new AccessToken("abc", later));
    assertThat(call(credentials, "authorization")).isEqualTo("Bearer abc");
  }

  @Test
  void overPlaintextNothingIsSentUnlessItIsAllowed() {
    Date later = Date.from(Instant.now().plusSeconds(3600));
    CallCredentials guarded =
        GoogleCallCredentials.of(GoogleCredentials.create(new AccessToken("abc", later)));
    assertThatThrownBy(() -> call(guarded, "authorization"))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.UNAUTHENTICATED));
  }

  @Test
  void headersOfTheLibraryAreSentAndBinaryOnesDecoded() {
    Credentials credentials =
        giving(Map.of("X-Project", List.of("p1"), "proof-bin", List.of("eWVz")));
    assertThat(call(credentials, "x-project")).isEqualTo("p1");
    assertThat(call(credentials, "proof-bin")).isEqualTo("yes");
    assertThat(call(credentials, "authorization")).isEqualTo("none");
  }

  @Test
  void theLibraryIsToldWhichServiceIsCalled() {
    Credentials credentials =
        new Made() {
          @Override
          public Map<String, List<String>> getRequestMetadata(URI uri) {
            return Map.of("uri", List.of(uri.toString()));
          }
        };
    String authority = channel.authority();
    assertThat(call(credentials, "uri")).isEqualTo("https://" + authority + "/test.Headers");
  }

  @Test
  void retryableFailuresAreUnavailable() {
    assertThat(failure(failing(new IOException("no route"))).code())
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure(failing(new Refusal(true))).code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void otherFailuresAreUnauthenticatedWithTheReason() {
    Status refused = failure(failing(new Refusal(false)));
    assertThat(refused.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused.description().orElse("")).contains("the account is refused");
    Credentials broken = giving(Map.of("a b", List.of("c")));
    assertThat(failure(broken).code()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void aFailureWithoutAMessageIsNamedByItsClass() {
    assertThat(failure(failing(new IOException())).description().orElse(""))
        .contains("java.io.IOException")
        .doesNotContain("null");
  }

  private static Credentials userOf(int port) {
    return UserCredentials.newBuilder()
        .setClientId("client")
        .setClientSecret("secret")
        .setRefreshToken("refresh")
        .setTokenServerUri(URI.create("http://127.0.0.1:" + port + "/token"))
        .build();
  }

  private static HttpServer tokenService(int status, String answer, AtomicInteger asked)
      throws IOException {
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/token",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("content-type", "application/json");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    service.start();
    return service;
  }

  @Test
  void oneTokenIsFetchedForManyCalls() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer service =
        tokenService(
            200,
            "{\"access_token\":\"fetched\",\"expires_in\":3600,\"token_type\":\"Bearer\"}",
            asked);
    try {
      CallCredentials credentials =
          GoogleCallCredentials.of(userOf(service.getAddress().getPort())).overPlaintext();
      for (int i = 0; i < 5; i++) {
        assertThat(call(credentials, "authorization")).isEqualTo("Bearer fetched");
      }
      assertThat(asked).hasValue(1);
    } finally {
      service.stop(0);
    }
  }

  @Test
  void aUserThatIsRefusedIsUnauthenticated() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer service = tokenService(400, "{\"error\":\"invalid_grant\"}", asked);
    try {
      assertThat(failure(userOf(service.getAddress().getPort())).code())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(asked.get()).isPositive();
    } finally {
      service.stop(0);
    }
  }

  @Test
  void anUnreachableTokenServiceIsUnavailable() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertThat(failure(userOf(port)).code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void toStringNamesTheCredentials() {
    assertThat(GoogleCallCredentials.of(giving(Map.of()))).hasToString("google-auth-library: made");
  }
}
