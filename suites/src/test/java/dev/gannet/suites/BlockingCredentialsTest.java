package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Call credentials from a source that may block. */
@Timeout(60)
final class BlockingCredentialsTest {
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final CallContext.Key<String> TENANT = CallContext.Key.of("tenant");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final InProcessAddress address = InProcessAddress.anonymous();
  private final ManagedChannel channel = ManagedChannel.builder(address).build();

  @BeforeEach
  void serve() throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(
                    Texts.UNARY, BlockingHandlers.unary(request -> request + tokens()))));
    open.add(Server.builder(address).add(service).start());
    open.addFirst(channel);
  }

  private static List<String> tokens() {
    return CallContext.current().orElseThrow().requestHeaders().getAll(TOKEN);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static Metadata headers(String token) {
    Metadata headers = new Metadata();
    headers.set(TOKEN, token);
    return headers;
  }

  private String call(CallCredentials.BlockingSource source) {
    return BlockingCalls.unary(channel, Texts.UNARY, with(source), "sent ");
  }

  private static CallOptions with(CallCredentials.BlockingSource source) {
    return CallOptions.DEFAULT.withCallCredentials(CallCredentials.blocking(source));
  }

  @Test
  void theHeadersOfTheSourceAreSent() {
    assertThat(call(request -> headers(request.method().bareMethodName())))
        .isEqualTo("sent [Unary]");
  }

  @Test
  void theSourceIsAskedOnAVirtualThread() {
    assertThat(call(request -> headers("virtual " + Thread.currentThread().isVirtual())))
        .isEqualTo("sent [virtual true]");
  }

  @Test
  void aSourceThatBlocksHoldsUpNoOtherCallAndNotTheThreadThatMakesTheCall() {
    CountDownLatch answered = new CountDownLatch(1);
    CompletableFuture<String> slow =
        AsyncCalls.unary(
            channel,
            Texts.UNARY,
            with(request -> {
              answered.await();
              return headers("slow");
            }),
            "sent ");
    assertThat(call(request -> headers("fast"))).isEqualTo("sent [fast]");
    assertThat(slow).isNotDone();
    answered.countDown();
    assertThat(slow.join()).isEqualTo("sent [slow]");
  }

  @Test
  void theSourceSeesTheScopeOfTheCall() throws Exception {
    try (CallScope scope = CallScope.builder().value(TENANT, "acme").open()) {
      CallCredentials.BlockingSource source =
          request -> headers(CallParent.current().flatMap(it -> it.value(TENANT)).orElse("none"));
      assertThat(scope.call(() -> call(source))).isEqualTo("sent [acme]");
      assertThat(call(source)).isEqualTo("sent [none]");
    }
  }

  private void assertFails(CallCredentials.BlockingSource source, Status.Code code, String words) {
    assertThatThrownBy(() -> call(source))
        .isInstanceOfSatisfying(
            StatusException.class, thrown -> assertThat(thrown.status().code()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  @Test
  void anExceptionWithAStatusEndsTheCallWithIt() {
    assertFails(
        request -> {
          throw Status.PERMISSION_DENIED.withDescription("not for you").asException();
        },
        Status.Code.PERMISSION_DENIED,
        "not for you");
  }

  @Test
  void anIoExceptionEndsTheCallWithUnavailable() {
    assertFails(
        request -> {
          throw new FileNotFoundException("no secret");
        },
        Status.Code.UNAVAILABLE,
        "no secret");
  }

  @Test
  void anyOtherExceptionEndsTheCallWithUnauthenticated() {
    assertFails(
        request -> {
          throw new IllegalStateException("sealed vault");
        },
        Status.Code.UNAUTHENTICATED,
        "sealed vault");
  }

  @Test
  @SuppressWarnings("NullAway") // its mistake
  void noHeadersAtAllAreAFault() {
    assertFails(request -> null, Status.Code.INTERNAL, "completed with null instead of Metadata");
  }
}
