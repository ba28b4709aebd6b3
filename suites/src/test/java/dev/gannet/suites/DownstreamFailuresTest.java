package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A handler answers for itself: what calls of its own came to is not told to its client. */
final class DownstreamFailuresTest {
  private static final Metadata.Key<String> REASON = Metadata.Key.ascii("reason");

  private final Simulation simulation = new Simulation();
  private final Logger log = Logger.getLogger("dev.gannet.server");
  private final Lines lines = new Lines();

  private static final class Lines extends Handler {
    private final List<String> lines = new ArrayList<>();
    private final List<Throwable> thrown = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
      if (line.getThrown() != null) {
        thrown.add(line.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    log.addHandler(lines);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    log.removeHandler(lines);
    log.setUseParentHandlers(true);
  }

  private static StatusException innerFailure() {
    Metadata trailers = new Metadata();
    trailers.add(REASON, "inner");
    return StatusException.ofCall(
        Texts.BIDI, Status.NOT_FOUND.withDescription("inner secret"), new Metadata(), trailers);
  }

  private MadeCall callOfOneThat(Function<StatusException, RuntimeException> throwsIt) {
    simulation
        .with(
            Texts.UNARY,
            BlockingHandlers.unary(request -> {
              throw throwsIt.apply(innerFailure());
            }))
        .serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    return call;
  }

  @Test
  void theFailureOfAnInnerCallIsUnknownWithoutItsText() {
    MadeCall call = callOfOneThat(inner -> inner);
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.words()).doesNotContain("inner");
    assertThat(call.heard().trailers().isEmpty()).isTrue();
  }

  @Test
  void theLogNamesTheInnerCall() {
    callOfOneThat(inner -> inner);
    assertThat(lines.lines)
        .singleElement()
        .asString()
        .contains(Texts.UNARY.fullMethodName())
        .contains(Texts.BIDI.fullMethodName())
        .contains("passOn()");
  }

  @Test
  void theLogNamesTheInnerCallForWhichTheHandlerHasWaited() {
    MadeCall call = callOfOneThat(inner -> new CompletionException(new CompletionException(inner)));
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(lines.lines)
        .singleElement()
        .asString()
        .contains("its own call of " + Texts.BIDI.fullMethodName())
        .contains("passOn()");
  }

  @Test
  void theLogNamesTheInnerCallOfACallLimit() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(
        simulation
            .serverBuilder()
            .limitCalls(call -> {
              throw innerFailure();
            }));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(lines.lines)
        .singleElement()
        .asString()
        .contains("its own call of " + Texts.BIDI.fullMethodName())
        .contains("passOn()");
  }

  @Test
  void aFailureThatIsPassedOnReachesTheClient() {
    MadeCall call = callOfOneThat(StatusException::passOn);
    assertThat(call.status()).hasToString("NOT_FOUND: inner secret");
    assertThat(call.heard().trailers().get(REASON)).contains("inner");
    assertThat(lines.lines).isEmpty();
  }

  @Test
  void aHandlerCanTurnTheFailureIntoAnotherStatus() {
    MadeCall call = callOfOneThat(inner -> Status.UNAVAILABLE.withCause(inner).asException());
    assertThat(call.status()).hasToString("UNAVAILABLE");
  }

  @Test
  void anInterceptorThatThrowsEndsItsCallAsAHandlerDoes() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(simulation.serverBuilder().intercept(new Throwing()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status())
        .hasToString(
            "UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(lines.lines)
        .containsExactly(
            "the handler or an interceptor of "
                + Texts.UNARY.fullMethodName()
                + " threw an exception; the client gets UNKNOWN");
  }

  @Test
  void anInterceptorThatReturnsNoListenerEndsItsCall() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(simulation.serverBuilder().intercept(new Forgetful()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(lines.thrown)
        .singleElement()
        .asString()
        .contains(
            "interceptCall of "
                + Forgetful.class.getName()
                + " returned null for "
                + Texts.UNARY.fullMethodName());
  }

  private record Throwing() implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      throw new IllegalStateException("a secret of the interceptor");
    }
  }

  private record Forgetful() implements ServerInterceptor {
    @Override
    @SuppressWarnings("NullAway") // what a careless interceptor does
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return null;
    }
  }

  @Test
  void aHandlerThatReturnsNullSaysSo() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> nothing())).serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status())
        .hasToString(
            "INTERNAL: the handler of "
                + Texts.UNARY.fullMethodName()
                + " returned or sent null instead of a response message");
    assertThat(lines.lines)
        .singleElement()
        .asString()
        .contains(Texts.UNARY.fullMethodName())
        .contains("returned or sent null");
  }

  @SuppressWarnings({"TypeParameterUnusedInFormals", "NullAway"}) // what a careless handler does
  private static <T> T nothing() {
    return null;
  }

  /** Where an interceptor of a handler's own call throws. */
  enum At {
    NEW_CALL,
    START
  }

  private record Refusing(At at) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      if (at == At.NEW_CALL) {
        throw refusal();
      }
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
          throw refusal();
        }
      };
    }
  }

  private static StatusException refusal() {
    Metadata trailers = new Metadata();
    trailers.add(REASON, "inner");
    return Status.UNAUTHENTICATED.withDescription("inner token has expired").asException(trailers);
  }

  private static final class Observed implements StreamObserver<String> {
    private final CompletableFuture<String> told = new CompletableFuture<>();

    @Override
    public void onNext(String value) {}

    @Override
    public void onError(Throwable thrown) {
      told.completeExceptionally(thrown);
    }

    @Override
    public void onCompleted() {}
  }

  /** How a handler makes a call of its own, and lets the failure escape. */
  enum Style {
    BLOCKING {
      @Override
      void call(Channel channel) {
        BlockingCalls.unary(channel, Texts.BIDI, CallOptions.DEFAULT, "ask");
      }
    },
    STREAMING {
      @Override
      void call(Channel channel) {
        BlockingCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT);
      }
    },
    FUTURE {
      @Override
      void call(Channel channel) throws Throwable {
        throw AsyncCalls.unary(channel, Texts.BIDI, CallOptions.DEFAULT, "ask").exceptionNow();
      }
    },
    JOINED_FUTURE {
      @Override
      void call(Channel channel) {
        AsyncCalls.unary(channel, Texts.BIDI, CallOptions.DEFAULT, "ask").join();
      }
    },
    AWAITED_FUTURE {
      @Override
      void call(Channel channel) throws Throwable {
        AsyncCalls.unary(channel, Texts.BIDI, CallOptions.DEFAULT, "ask").get();
      }
    },
    PUBLISHER {
      @Override
      void call(Channel channel) throws Throwable {
        Recorder recorder = new Recorder();
        AsyncCalls.serverStreaming(channel, Texts.BIDI, CallOptions.DEFAULT, "ask")
            .subscribe(recorder);
        throw recorder.error();
      }
    },
    OBSERVER {
      @Override
      void call(Channel channel) throws Throwable {
        Observed observed = new Observed();
        ObserverCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT, observed);
        throw observed.told.exceptionNow();
      }
    },
    WITHOUT_A_STUB {
      @Override
      void call(Channel channel) {
        MadeCall.start(channel, Texts.BIDI);
      }
    };

    abstract void call(Channel channel) throws Throwable;

    /** For those who may throw no checked exception. */
    final <E extends Throwable> void fail(At at, Channel channel) throws E {
      try {
        call(ClientInterceptor.intercept(channel, List.of(new Refusing(at))));
      } catch (Throwable e) {
        throw Style.<E>as(e);
      }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased
    private static <E extends Throwable> E as(Throwable thrown) {
      return (E) thrown;
    }
  }

  static Stream<Arguments> refusedCalls() {
    return Stream.of(Style.values())
        .flatMap(style -> Stream.of(At.values()).map(at -> Arguments.of(style, at)));
  }

  private void assertEndedByInnerCall(MadeCall call) {
    assertThat(call.status())
        .hasToString(
            "UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(call.heard().trailers().isEmpty()).isTrue();
    assertThat(lines.lines)
        .singleElement()
        .asString()
        .contains(Texts.UNARY.fullMethodName())
        .contains("its own call of " + Texts.BIDI.fullMethodName())
        .contains("passOn()");
  }

  @ParameterizedTest
  @MethodSource("refusedCalls")
  void aRefusalOfAnInnerCallByAnInterceptorIsUnknownToo(Style style, At at) {
    Channel inner = simulation.channel();
    simulation
        .with(
            Texts.UNARY,
            BlockingHandlers.unary(request -> {
              style.<RuntimeException>fail(at, inner);
              return request;
            }))
        .serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertEndedByInnerCall(call);
  }

  @ParameterizedTest
  @EnumSource
  void soIsThatOfTheInnerCallOfAnAsynchronousHandler(At at) {
    Channel refusing = ClientInterceptor.intercept(simulation.channel(), List.of(new Refusing(at)));
    simulation
        .with(
            Texts.UNARY,
            AsyncHandlers.unary(
                request -> AsyncCalls.unary(refusing, Texts.BIDI, CallOptions.DEFAULT, request)))
        .serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertEndedByInnerCall(call);
  }

  @ParameterizedTest
  @MethodSource("refusedCalls")
  void soIsThatOfTheInnerCallOfAHeadersInterceptor(Style style, At at) {
    Channel inner = simulation.channel();
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(
        simulation
            .serverBuilder()
            .interceptHeaders((call, headers) -> style.<RuntimeException>fail(at, inner)));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertEndedByInnerCall(call);
  }

  @ParameterizedTest
  @MethodSource("refusedCalls")
  void soIsThatOfTheInnerCallOfACallLimit(Style style, At at) {
    Channel inner = simulation.channel();
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(
        simulation
            .serverBuilder()
            .limitCalls(call -> {
              style.<RuntimeException>fail(at, inner);
              return () -> {};
            }));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertEndedByInnerCall(call);
  }

  @Test
  void aRefusalOfAnInnerCallCanBePassedOn() {
    Channel refusing =
        ClientInterceptor.intercept(simulation.channel(), List.of(new Refusing(At.START)));
    simulation
        .with(
            Texts.UNARY,
            BlockingHandlers.unary(request -> {
              try {
                return BlockingCalls.unary(refusing, Texts.BIDI, CallOptions.DEFAULT, request);
              } catch (StatusException e) {
                throw e.passOn();
              }
            }))
        .serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status()).hasToString("UNAUTHENTICATED: inner token has expired");
    assertThat(call.heard().trailers().get(REASON)).contains("inner");
    assertThat(lines.lines).isEmpty();
  }
}
