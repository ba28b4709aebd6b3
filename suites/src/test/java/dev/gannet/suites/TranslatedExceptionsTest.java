package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions of an application that an interceptor gives a status. */
final class TranslatedExceptionsTest {
  private static final Metadata.Key<String> ID = Metadata.Key.ascii("id");
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  private final Simulation simulation = new Simulation();
  private final List<String> seen = new ArrayList<>();
  private final Records records = new Records();

  private static final class Records extends Handler {
    private final List<LogRecord> all = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      all.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** An exception of the application. */
  private static final class NoSuchUser extends Exception {
    private static final long serialVersionUID = 1;

    private final String id;

    NoSuchUser(String id) {
      super(id);
      this.id = id;
    }
  }

  private static final ServerInterceptor TRANSLATING =
      ServerInterceptor.translating(TranslatedExceptionsTest::statusOf);

  private static Optional<StatusException> statusOf(Throwable thrown) {
    return thrown instanceof NoSuchUser e ? Optional.of(notFound(e.id)) : Optional.empty();
  }

  private static StatusException notFound(String id) {
    Metadata trailers = new Metadata();
    trailers.set(ID, id);
    return Status.NOT_FOUND.withDescription("no such user").asException(trailers);
  }

  @BeforeEach
  void listen() {
    LOG.addHandler(records);
    LOG.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(records);
    LOG.setUseParentHandlers(true);
  }

  private static String fails() throws NoSuchUser {
    throw new NoSuchUser("7");
  }

  // The cast is erased, so checked exceptions pass.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** A handler without a stub. */
  private interface Start {
    ServerCall.Listener<String> start(ServerCall<String, String> call);
  }

  private static Arguments byHand(Start start) {
    ServerCallHandler<String, String> handler = (call, headers) -> start.start(call);
    return Arguments.of(Texts.BIDI, handler);
  }

  private static ServerCall.Listener<String> failingAtTheMessage(ServerCall<String, String> call) {
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(String message) {
        throw TranslatedExceptionsTest.<RuntimeException>unchecked(new NoSuchUser("7"));
      }
    };
  }

  private static ServerCall.Listener<String> failingAtTheHalfClose(
      ServerCall<String, String> call) {
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onHalfClose() {
        throw TranslatedExceptionsTest.<RuntimeException>unchecked(new NoSuchUser("7"));
      }
    };
  }

  private static ServerCall.Listener<String> failed(ServerCall<String, String> call) {
    call.fail(new NoSuchUser("7"));
    return new ServerCall.Listener<>() {};
  }

  private static void publishFailure(Flow.Subscriber<? super String> subscriber) {
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long messages) {}

          @Override
          public void cancel() {}
        });
    subscriber.onError(new NoSuchUser("7"));
  }

  static Stream<Arguments> handlers() {
    return Stream.of(
        Arguments.of(Texts.UNARY, BlockingHandlers.<String, String>unary(q -> fails())),
        Arguments.of(
            Texts.SERVER_STREAMING,
            BlockingHandlers.<String, String>serverStreaming((q, out) -> out.send(fails()))),
        Arguments.of(
            Texts.CLIENT_STREAMING,
            BlockingHandlers.<String, String>clientStreaming(in -> fails())),
        Arguments.of(
            Texts.BIDI,
            BlockingHandlers.<String, String>bidiStreaming((in, out) -> out.send(fails()))),
        Arguments.of(
            Texts.UNARY,
            AsyncHandlers.<String, String>unary(q -> CompletableFuture.completedFuture(fails()))),
        Arguments.of(
            Texts.UNARY,
            AsyncHandlers.<String, String>unary(
                q -> CompletableFuture.failedFuture(new NoSuchUser("7")))),
        Arguments.of(
            Texts.CLIENT_STREAMING,
            AsyncHandlers.<String, String>clientStreaming(in ->
                CompletableFuture.failedFuture(new CompletionException(new NoSuchUser("7"))))),
        Arguments.of(
            Texts.BIDI,
            AsyncHandlers.<String, String>bidiStreaming(
                in -> TranslatedExceptionsTest::publishFailure)),
        byHand(call -> {
          throw TranslatedExceptionsTest.<RuntimeException>unchecked(new NoSuchUser("7"));
        }),
        byHand(TranslatedExceptionsTest::failingAtTheMessage),
        byHand(TranslatedExceptionsTest::failingAtTheHalfClose),
        byHand(TranslatedExceptionsTest::failed));
  }

  private MadeCall called(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      ServerInterceptor... interceptors) {
    var builder = simulation.with(method, handler).serverBuilder();
    for (ServerInterceptor each : interceptors) {
      builder.intercept(each);
    }
    Simulation.start(builder);
    MadeCall call = MadeCall.whole(simulation.channel(), method, "a");
    simulation.run();
    return call;
  }

  private void assertNotFound(MadeCall call) {
    assertThat(call.status()).hasToString("NOT_FOUND: no such user");
    assertThat(call.heard().trailers().get(ID)).hasValue("7");
    assertThat(records.all).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("handlers")
  void theClientGetsTheStatusAndTheTrailersAndNothingIsLogged(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    assertNotFound(called(method, handler, TRANSLATING));
  }

  /** The request arrives inside the event in which the method runs. */
  @Test
  void aMethodThatWaitsForItsRequestsIsTranslated() throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(
                    Texts.BIDI,
                    BlockingHandlers.<String, String>bidiStreaming((requests, responses) -> {
                      for (String request : requests) {
                        responses.send(request + fails());
                      }
                    }))));
    try (Server server =
            Server.builder(InProcessAddress.anonymous())
                .intercept(TRANSLATING)
                .add(service)
                .start();
        ManagedChannel channel = ManagedChannel.builder(server.address()).build();
        BidiStreamingCall<String, String> call =
            BlockingCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT)) {
      call.send("7");
      assertThatThrownBy(call::next).hasMessage("NOT_FOUND: no such user");
    }
    assertThat(records.all).isEmpty();
  }

  /** Writes down what it sees, and lets it pass. */
  private final class Watching implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall<Q, R> own =
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              seen.add(
                  status.code()
                      + " of "
                      + status.cause().map(it -> it.getClass().getSimpleName()).orElse("nothing"));
              super.close(status, trailers);
            }
          };
      return new ForwardingServerCallListener<>(next.startCall(own, headers)) {
        @Override
        public void onHalfClose() {
          try {
            super.onHalfClose();
          } catch (Throwable e) {
            seen.add(e.getClass().getSimpleName());
            throw e;
          }
        }
      };
    }
  }

  @Test
  void interceptorsFurtherOutsideSeeTheStatusAndItsCause() {
    assertNotFound(
        called(Texts.UNARY, BlockingHandlers.unary(q -> fails()), new Watching(), TRANSLATING));
    assertThat(seen).containsExactly("StatusException", "NOT_FOUND of NoSuchUser");
  }

  @Test
  void interceptorsBehindItSeeTheExceptionAndTheFinalStatus() {
    assertNotFound(
        called(Texts.UNARY, BlockingHandlers.unary(q -> fails()), TRANSLATING, new Watching()));
    assertThat(seen).containsExactly("NoSuchUser", "NOT_FOUND of NoSuchUser");
  }

  @Test
  void interceptorsBehindItSeeTheFinalStatusOfAFailedStage() {
    ServerCallHandler<String, String> handler =
        AsyncHandlers.unary(q -> CompletableFuture.failedFuture(new NoSuchUser("7")));
    assertNotFound(called(Texts.UNARY, handler, new Watching(), TRANSLATING, new Watching()));
    assertThat(seen).containsExactly("NOT_FOUND of NoSuchUser", "NOT_FOUND of NoSuchUser");
  }

  @Test
  void theInnermostTranslationIsAskedFirst() {
    ServerInterceptor outer =
        ServerInterceptor.translating(e -> Optional.of(Status.INTERNAL.asException()));
    assertNotFound(called(Texts.UNARY, BlockingHandlers.unary(q -> fails()), outer, TRANSLATING));
  }

  private ServerInterceptor noting(Optional<StatusException> result) {
    return ServerInterceptor.translating(e -> {
      seen.add(e.getMessage());
      return result;
    });
  }

  private void assertIsAskedOnce(Optional<StatusException> result) {
    called(
        Texts.UNARY,
        BlockingHandlers.unary(q -> fails()),
        new Watching(),
        noting(result),
        new Watching());
    assertThat(seen).filteredOn("7"::equals).hasSize(1);
  }

  @Test
  void anExceptionIsTranslatedOnce() {
    assertIsAskedOnce(Optional.of(notFound("7")));
  }

  @Test
  void anExceptionWithoutAStatusIsSeenOnce() {
    assertIsAskedOnce(Optional.empty());
  }

  private LogRecord logged() {
    assertThat(records.all).hasSize(1);
    return records.all.getFirst();
  }

  private void assertUnknown(MadeCall call) {
    assertThat(call.status())
        .hasToString(
            "UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(logged().getMessage()).endsWith("threw an exception; the client gets UNKNOWN");
  }

  @Test
  void anExceptionThatIsNotTranslatedEndsTheCallAsWithoutTheInterceptor() {
    IllegalStateException mistake = new IllegalStateException("a mistake");
    assertUnknown(
        called(
            Texts.UNARY,
            BlockingHandlers.unary(q -> {
              throw mistake;
            }),
            TRANSLATING));
    assertThat(logged().getThrown()).isSameAs(mistake).hasNoSuppressedExceptions();
  }

  @Test
  void ifTheTranslationThrowsTheLogHasBoth() {
    IllegalStateException mistake = new IllegalStateException("a mistake");
    ServerInterceptor broken =
        ServerInterceptor.translating(e -> {
          throw mistake;
        });
    assertUnknown(called(Texts.UNARY, BlockingHandlers.unary(q -> fails()), broken));
    assertThat(logged().getThrown()).isInstanceOf(NoSuchUser.class).hasSuppressedException(mistake);
  }

  @Test
  void aTranslationMayThrowWhatItIsGiven() {
    ServerInterceptor broken =
        ServerInterceptor.translating(e -> {
          throw TranslatedExceptionsTest.<RuntimeException>unchecked(e);
        });
    assertUnknown(called(Texts.UNARY, BlockingHandlers.unary(q -> fails()), broken));
    assertThat(logged().getThrown()).isInstanceOf(NoSuchUser.class);
  }

  @Test
  @SuppressWarnings("NullAway") // its mistake
  void ifTheTranslationReturnsNullTheLogHasBoth() {
    assertUnknown(
        called(
            Texts.UNARY,
            BlockingHandlers.unary(q -> fails()),
            ServerInterceptor.translating(e -> null)));
    assertThat(logged().getThrown()).isInstanceOf(NoSuchUser.class);
    assertThat(logged().getThrown().getSuppressed()).singleElement().asString().contains("null");
  }

  @Test
  void aStatusThatTheHandlerThrowsIsNotTranslated() {
    MadeCall call =
        called(
            Texts.UNARY,
            BlockingHandlers.unary(q -> {
              throw Status.ABORTED.withDescription("mine").asException();
            }),
            noting(Optional.of(notFound("7"))));
    assertThat(call.status()).hasToString("ABORTED: mine");
    assertThat(seen).isEmpty();
    assertThat(records.all).isEmpty();
  }

  /** The called handler has thrown an exception, so its status has the text of the server's own. */
  @Test
  void theFailureOfACallThatIsPassedOnIsNotTranslated() {
    Simulation backend = new Simulation();
    backend.with(Texts.UNARY, BlockingHandlers.unary(q -> fails())).serve();
    MadeCall inner = MadeCall.whole(backend.channel(), Texts.UNARY, "a");
    backend.run();
    assertUnknown(inner);
    StatusException failure =
        StatusException.ofCall(Texts.UNARY, inner.status(), new Metadata(), new Metadata());
    MadeCall call =
        called(
            Texts.UNARY,
            BlockingHandlers.unary(q -> {
              throw failure.passOn();
            }),
            noting(Optional.of(notFound("7"))));
    assertThat(call.status()).hasToString(inner.status().toString());
    assertThat(seen).isEmpty();
  }

  private static StatusException failureOfItsOwnCall() {
    return StatusException.ofCall(
        Texts.BIDI, Status.UNAVAILABLE.withDescription("inner"), new Metadata(), new Metadata());
  }

  private MadeCall calledWithAFailedCall(ServerInterceptor translating) {
    return called(
        Texts.UNARY,
        BlockingHandlers.unary(q -> {
          throw failureOfItsOwnCall();
        }),
        translating);
  }

  @Test
  void theFailureOfACallOfTheHandlerIsTranslated() {
    MadeCall call = calledWithAFailedCall(noting(Optional.of(notFound("7"))));
    assertNotFound(call);
  }

  @Test
  void theFailureOfACallOfTheHandlerIsPassedOnIfItIsTheResult() {
    MadeCall call =
        calledWithAFailedCall(
            ServerInterceptor.translating(
                e -> e instanceof StatusException own ? Optional.of(own) : Optional.empty()));
    assertThat(call.status()).hasToString("UNAVAILABLE: inner");
    assertThat(records.all).isEmpty();
  }

  @Test
  void theFailureOfACallOfTheHandlerIsUnknownIfItIsNotTranslated() {
    assertThat(calledWithAFailedCall(TRANSLATING).code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(logged().getMessage()).contains("its own call of test.Texts/Bidi failed");
  }
}
