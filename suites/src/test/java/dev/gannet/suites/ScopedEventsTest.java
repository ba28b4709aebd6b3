package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Scopes of a thread around the events of a call. */
final class ScopedEventsTest {
  private static final ThreadLocal<List<String>> OPEN = ThreadLocal.withInitial(ArrayList::new);

  private final Simulation simulation = new Simulation();
  private final List<String> seen = new ArrayList<>();
  private final HeldCalls held = new HeldCalls();

  private static AutoCloseable open(String name) {
    OPEN.get().add(name);
    return () -> OPEN.get().remove(name);
  }

  private static final ServerInterceptor SCOPED =
      ServerInterceptor.around(call -> open(call.method().bareMethodName()));

  /** Notes in which scopes its events are delivered. */
  private final class Noting implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      note("start");
      call.request(2);
      return new ServerCall.Listener<>() {
        @Override
        public void onReady() {
          note("ready");
        }

        @Override
        public void onMessage(String message) {
          note(message);
        }

        @Override
        public void onHalfClose() {
          note("half-close");
          call.close(Status.OK, new Metadata());
        }

        @Override
        public void onComplete() {
          note("complete");
        }

        @Override
        public void onCancel() {
          note("cancel");
        }
      };
    }
  }

  private void note(String event) {
    seen.add(event + " " + OPEN.get());
  }

  private ManagedChannel serving(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      ServerInterceptor... interceptors) {
    var builder = simulation.with(method, handler).serverBuilder();
    for (ServerInterceptor each : interceptors) {
      builder.intercept(each);
    }
    Simulation.start(builder);
    return simulation.channel();
  }

  private MadeCall called(ManagedChannel channel, MethodDescriptor<String, String> method) {
    MadeCall call = MadeCall.whole(channel, method, "a");
    simulation.run();
    assertThat(OPEN.get()).isEmpty();
    return call;
  }

  @Test
  void eachEventIsInTheScopeOfItsCall() {
    called(serving(Texts.BIDI, new Noting(), SCOPED), Texts.BIDI);
    assertThat(seen)
        .containsExactly(
            "start [Bidi]", "ready [Bidi]", "a [Bidi]", "half-close [Bidi]", "complete [Bidi]");
  }

  @Test
  void theCancellationIsInTheScope() {
    ManagedChannel channel = serving(Texts.BIDI, new Noting(), SCOPED);
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    call.call().cancel("bored");
    simulation.run();
    assertThat(seen).containsExactly("start [Bidi]", "ready [Bidi]", "cancel [Bidi]");
    assertThat(OPEN.get()).isEmpty();
  }

  @Test
  void aBlockingMethodRunsInTheScope() {
    ServerCallHandler<String, String> handler =
        BlockingHandlers.unary(request -> {
          note(request);
          return request;
        });
    MadeCall call = called(serving(Texts.UNARY, handler, SCOPED), Texts.UNARY);
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen).containsExactly("a [Unary]");
  }

  @Test
  void anAsynchronousMethodIsCalledInTheScope() {
    ServerCallHandler<String, String> handler =
        AsyncHandlers.unary(request -> {
          note(request);
          return CompletableFuture.completedFuture(request);
        });
    MadeCall call = called(serving(Texts.UNARY, handler, SCOPED), Texts.UNARY);
    assertThat(call.messages()).containsExactly("a");
    assertThat(seen).containsExactly("a [Unary]");
  }

  /** The requests arrive inside the event in which the method runs. */
  @Test
  void aMethodThatWaitsForItsRequestsStaysInOneScope() throws IOException {
    List<String> found = new ArrayList<>();
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(
                    Texts.BIDI,
                    BlockingHandlers.<String, String>bidiStreaming((requests, responses) -> {
                      for (String request : requests) {
                        responses.send(request + " " + OPEN.get());
                      }
                    }))));
    InProcessAddress address = InProcessAddress.anonymous();
    try (Server server = Server.builder(address).intercept(SCOPED).add(service).start();
        ManagedChannel channel = ManagedChannel.builder(server.address()).build();
        BidiStreamingCall<String, String> call =
            BlockingCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT)) {
      for (String each : List.of("a", "b", "c")) {
        call.send(each);
        found.add(call.next());
      }
    }
    assertThat(found).containsExactly("a [Bidi]", "b [Bidi]", "c [Bidi]");
  }

  @Test
  void scopesOfSeveralInterceptorsAreNested() {
    called(
        serving(Texts.BIDI, new Noting(), SCOPED, ServerInterceptor.around(call -> open("inner"))),
        Texts.BIDI);
    assertThat(seen).contains("start [Bidi, inner]", "a [Bidi, inner]", "complete [Bidi, inner]");
  }

  @Test
  void anOpenerThatThrowsRefusesTheCall() {
    ServerInterceptor broken =
        ServerInterceptor.around(call -> {
          throw new IllegalStateException("no MDC");
        });
    MadeCall call = called(serving(Texts.UNARY, held, SCOPED, broken), Texts.UNARY);
    assertThat(call.status())
        .hasToString("INTERNAL: a scope around the events of the call cannot be opened");
    assertThat(held.all()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // its mistake
  void anOpenerThatReturnsNullRefusesTheCall() {
    MadeCall call =
        called(serving(Texts.UNARY, held, ServerInterceptor.around(it -> null)), Texts.UNARY);
    assertThat(call.words()).isEqualTo("a scope around the events of the call cannot be opened");
  }

  @Test
  void anOpenerMayRefuseTheCallWithAStatus() {
    ServerInterceptor refusing =
        ServerInterceptor.around(call -> {
          throw Status.UNAUTHENTICATED.withDescription("who are you?").asException();
        });
    MadeCall call = called(serving(Texts.UNARY, held, refusing), Texts.UNARY);
    assertThat(call.status()).hasToString("UNAUTHENTICATED: who are you?");
  }

  /** Opens a number of scopes, and fails then. */
  private static ServerInterceptor failingAfter(int scopes) {
    int[] left = {scopes};
    return ServerInterceptor.around(call -> {
      if (left[0]-- <= 0) {
        throw new IllegalStateException("no more");
      }
      return open("counted");
    });
  }

  @Test
  void theHandlerGetsTheEndIfThereIsNoScope() {
    MadeCall call = called(serving(Texts.BIDI, new Noting(), failingAfter(2), SCOPED), Texts.BIDI);
    assertThat(call.words()).isEqualTo("a scope around the events of the call cannot be opened");
    assertThat(seen)
        .containsExactly("start [counted, Bidi]", "ready [counted, Bidi]", "complete [Bidi]");
  }

  private static ServerInterceptor failingToClose() {
    return ServerInterceptor.around(call -> {
      AutoCloseable open = open("unclosed");
      return () -> {
        open.close();
        throw new IOException("cannot be closed");
      };
    });
  }

  @Test
  void aScopeThatCannotBeClosedEndsTheCall() {
    MadeCall call = called(serving(Texts.BIDI, new Noting(), SCOPED, failingToClose()), Texts.BIDI);
    assertThat(call.status())
        .hasToString("INTERNAL: a scope around the events of the call cannot be closed");
    assertThat(seen).containsExactly("start [Bidi, unclosed]", "complete [Bidi, unclosed]");
  }

  @Test
  void anAnswerThatWasSentStandsIfTheScopeCannotBeClosed() {
    ServerInterceptor lastOnly =
        ServerInterceptor.around(call -> {
          AutoCloseable open = open("scope");
          return () -> {
            open.close();
            if (seen.contains("answered")) {
              throw new IOException("cannot be closed");
            }
          };
        });
    ServerCallHandler<String, String> handler =
        BlockingHandlers.unary(request -> {
          seen.add("answered");
          return request;
        });
    assertThat(called(serving(Texts.UNARY, handler, lastOnly), Texts.UNARY).messages())
        .containsExactly("a");
  }

  @Test
  void theExceptionOfAMethodCountsIfTheScopeCannotBeClosedEither() {
    ServerInterceptor failing =
        ServerInterceptor.around(call -> {
          AutoCloseable open = open("scope");
          return () -> {
            open.close();
            if (seen.contains("thrown")) {
              throw new IOException("cannot be closed");
            }
          };
        });
    ServerCallHandler<String, String> handler =
        BlockingHandlers.unary(request -> {
          seen.add("thrown");
          throw Status.NOT_FOUND.withDescription("nobody").asException();
        });
    assertThat(called(serving(Texts.UNARY, handler, failing), Texts.UNARY).status())
        .hasToString("NOT_FOUND: nobody");
  }

  @Test
  void aCallWithinACallOnTheSameThreadHasAScopeOfItsOwn() throws IOException {
    List<ManagedChannel> channels = new ArrayList<>();
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(
                    Texts.UNARY,
                    AsyncHandlers.unary(request -> {
                      note(request);
                      if (request.equals("outer")) {
                        MadeCall.whole(channels.getFirst(), Texts.UNARY, "inner");
                        note("outer again");
                      }
                      return CompletableFuture.completedFuture(request);
                    }))));
    try (Server server =
            Server.builder(InProcessAddress.anonymous())
                .dispatch(Dispatch.inline())
                .intercept(SCOPED)
                .add(service)
                .start();
        ManagedChannel channel =
            ManagedChannel.builder(server.address()).directExecutor().build()) {
      channels.add(channel);
      MadeCall.whole(channel, Texts.UNARY, "outer");
    }
    assertThat(seen)
        .containsExactly("outer [Unary]", "inner [Unary, Unary]", "outer again [Unary]");
  }
}
