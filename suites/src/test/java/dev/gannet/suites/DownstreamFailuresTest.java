package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    MadeCall call =
        callOfOneThat(inner -> new CompletionException(new CompletionException(inner)));
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
}
