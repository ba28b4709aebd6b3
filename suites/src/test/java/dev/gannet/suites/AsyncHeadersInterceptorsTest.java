package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks of headers that take time hold their call until they have completed. */
@ParameterizedClass
@EnumSource
final class AsyncHeadersInterceptorsTest {
  private static final CallContext.Key<String> USER = CallContext.Key.of("user");
  private static final Metadata.Key<String> SEEN = Metadata.Key.ascii("seen");
  private static final Status REFUSED = Status.PERMISSION_DENIED.withDescription("not you");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final List<String> seen = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();

  AsyncHeadersInterceptorsTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  /** A check that has begun, in the hand of the test. */
  private record Check(CallContext call, Metadata headers, CompletableFuture<Void> result) {}

  private CompletionStage<Void> check(CallContext call, Metadata headers) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    checks.add(new Check(call, headers, result));
    return result;
  }

  private static CompletableFuture<Void> done() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    done.complete(null);
    return done;
  }

  private static CallCounts countsOf(MethodDescriptor<?, ?> method, Server server) {
    return Objects.requireNonNull(server.snapshot().methods().get(method.fullMethodName()));
  }

  private Check only() {
    assertThat(checks).hasSize(1);
    return checks.getFirst();
  }

  private ServerBuilder builder() {
    return simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serverBuilder();
  }

  private MadeCall calls(MethodDescriptor<String, String> method) {
    MadeCall call = MadeCall.whole(simulation.channel(), method, "question");
    simulation.run();
    return call;
  }

  private void succeeds(Check check) {
    check.result().complete(null);
    simulation.run();
  }

  private void fails(Check check, Throwable why) {
    check.result().completeExceptionally(why);
    simulation.run();
  }

  private void holds(MethodDescriptor<String, String> method) {
    Simulation.start(builder().interceptHeadersAsync(this::check));
    MadeCall call = calls(method);
    assertThat(held.all()).isEmpty();
    assertThat(call.isClosed()).isFalse();

    only().call().setValue(USER, "Ada");
    only().headers().set(SEEN, "yes");
    succeeds(only());
    assertThat(held.only().messages()).containsExactly("question");
    assertThat(held.only().halfCloses()).isOne();
    assertThat(held.only().call().context().value(USER)).hasValue("Ada");
    assertThat(held.only().headers().get(SEEN)).hasValue("yes");

    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aUnaryCallStartsWhenItsCheckHasCompleted() {
    holds(Texts.UNARY);
  }

  @Test
  void aStreamStartsWhenItsCheckHasCompleted() {
    holds(Texts.BIDI);
  }

  @Test
  void aRequestMayComeAfterTheCheckHasCompleted() {
    Simulation.start(builder().interceptHeadersAsync(this::check));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.UNARY);
    simulation.run();
    checks.forEach(this::succeeds); // in process a call begins with its request
    assertThat(held.all()).isEmpty();

    call.says("question").halfCloses();
    simulation.run();
    checks.forEach(this::succeeds);
    assertThat(held.only().messages()).containsExactly("question");
  }

  @Test
  void aStreamMayStartBeforeItsFirstRequest() {
    Simulation.start(builder().interceptHeadersAsync(this::check));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI);
    call.says("first");
    simulation.run();
    succeeds(only());
    call.says("second").halfCloses();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("first", "second");
  }

  private void refuses(MethodDescriptor<String, String> method) {
    Server server = Simulation.start(builder().countCalls().interceptHeadersAsync(this::check));
    MadeCall call = calls(method);
    Metadata trailers = new Metadata();
    trailers.set(SEEN, "yes");
    fails(only(), REFUSED.asException(trailers));

    assertThat(call.status()).hasToString(REFUSED.toString());
    assertThat(call.heard().trailers().get(SEEN)).hasValue("yes");
    assertThat(held.all()).isEmpty();
    CallCounts counts = countsOf(method, server);
    assertThat(counts.ended()).isEqualTo(Map.of(Status.Code.PERMISSION_DENIED, 1L));
    assertThat(counts.underWay()).isZero();
  }

  @Test
  void aUnaryCallWhoseCheckFailsIsRefused() {
    refuses(Texts.UNARY);
  }

  @Test
  void aStreamWhoseCheckFailsIsRefused() {
    refuses(Texts.BIDI);
  }

  @Test
  void aStageThatDependsOnTheFailedOneTellsItsStatus() {
    CompletableFuture<String> asked = new CompletableFuture<>();
    Simulation.start(
        builder().interceptHeadersAsync((call, headers) -> asked.thenAccept(seen::add)));
    MadeCall call = calls(Texts.UNARY);
    asked.completeExceptionally(REFUSED.asException());
    simulation.run();
    assertThat(call.status()).hasToString(REFUSED.toString());
  }

  private MadeCall unknownAfter(AsyncHeadersInterceptor interceptor) {
    Simulation.start(builder().interceptHeadersAsync(interceptor));
    MadeCall call = calls(Texts.UNARY);
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.words()).doesNotContain("secret");
    assertThat(held.all()).isEmpty();
    return call;
  }

  @Test
  void anyOtherFailureIsNotToldToTheClient() {
    unknownAfter(
        (call, headers) -> CompletableFuture.failedFuture(new IllegalStateException("secret")));
  }

  @Test
  void theFailureOfAnotherCallIsNotPassedOn() {
    Metadata theirs = new Metadata();
    theirs.set(SEEN, "secret");
    MadeCall call =
        unknownAfter((context, headers) ->
            CompletableFuture.failedFuture(
                StatusException.ofCall(context.method(), REFUSED, new Metadata(), theirs)));
    assertThat(call.heard().trailers().get(SEEN)).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void nullInPlaceOfAStageRefusesTheCall() {
    unknownAfter((call, headers) -> null);
  }

  @Test
  void whatIsThrownRefusesTheCall() {
    Simulation.start(
        builder()
            .interceptHeadersAsync((call, headers) -> {
              throw REFUSED.asException();
            }));
    assertThat(calls(Texts.UNARY).status()).hasToString(REFUSED.toString());
  }

  @Test
  void aCheckThatIsCompleteHoldsNothing() {
    Simulation.start(
        builder()
            .interceptHeadersAsync((call, headers) -> done())
            .interceptHeadersAsync((call, headers) -> done().minimalCompletionStage()));
    calls(Texts.UNARY);
    assertThat(held.only().messages()).containsExactly("question");
  }

  private void endsWhileItIsHeld(
      MethodDescriptor<String, String> method, Status.Code code, Duration deadline) {
    Server server = Simulation.start(builder().countCalls().interceptHeadersAsync(this::check));
    MadeCall call =
        MadeCall.whole(simulation.channel(), method, simulation.within(deadline), "question");
    simulation.run();
    only().call().onCancelled(() -> seen.add("cancelled"));
    if (code == Status.Code.CANCELLED) {
      call.call().cancel("not needed");
    } else {
      simulation.advance(deadline);
    }
    simulation.run();
    assertThat(call.code()).isEqualTo(code);
    assertThat(seen).containsExactly("cancelled");
    CallCounts counts = countsOf(method, server);
    assertThat(counts.underWay()).isZero();

    succeeds(only());
    assertThat(held.all()).isEmpty();
    assertThat(countsOf(method, server).allEnded()).isOne();
  }

  @Test
  void aClientMayCancelAHeldCall() {
    endsWhileItIsHeld(Texts.UNARY, Status.Code.CANCELLED, SECOND);
  }

  @Test
  void aClientMayCancelAHeldStream() {
    endsWhileItIsHeld(Texts.BIDI, Status.Code.CANCELLED, SECOND);
  }

  @Test
  void theDeadlineOfAHeldCallPasses() {
    endsWhileItIsHeld(Texts.UNARY, Status.Code.DEADLINE_EXCEEDED, SECOND);
  }

  @Test
  void theDeadlineOfAHeldStreamPasses() {
    endsWhileItIsHeld(Texts.BIDI, Status.Code.DEADLINE_EXCEEDED, SECOND);
  }

  @Test
  void aHeldCallThatLastsTooLongEnds() {
    Simulation.start(builder().maxCallDuration(SECOND).interceptHeadersAsync(this::check));
    MadeCall call = calls(Texts.UNARY);
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    fails(only(), REFUSED.asException());
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aServerThatIsShutDownAtOnceEndsHeldCalls() {
    Server server = Simulation.start(builder().interceptHeadersAsync(this::check));
    MadeCall call = calls(Texts.UNARY);
    server.shutdownNow();
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    succeeds(only());
    assertThat(held.all()).isEmpty();
  }

  private final class OrdinaryInterceptor implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      seen.add("interceptor");
      return next.startCall(call, headers);
    }
  }

  private CompletionStage<Void> second(CallContext call, Metadata headers) {
    seen.add("second");
    assertThat(CallContext.current()).isEmpty();
    assertThat(CallParent.current()).isEmpty();
    return check(call, headers);
  }

  @Test
  void interceptorsOfBothKindsRunOneAfterTheOther() {
    Simulation.start(
        builder()
            .intercept(new OrdinaryInterceptor())
            .interceptHeadersAsync(this::check)
            .interceptHeaders((call, headers) -> seen.add("first"))
            .interceptHeadersAsync(this::second)
            .interceptHeaders((call, headers) -> seen.add("third")));
    calls(Texts.UNARY);
    assertThat(seen).isEmpty();
    succeeds(checks.getFirst());
    assertThat(seen).containsExactly("first", "second");
    succeeds(checks.getLast());
    assertThat(seen).containsExactly("first", "second", "third", "interceptor");
    assertThat(held.only().messages()).containsExactly("question");
  }

  @Test
  void aCheckIsNotInTheScopeOfTheThreadThatHasCompletedTheOneBefore() {
    Simulation.start(
        builder().interceptHeadersAsync(this::check).interceptHeadersAsync(this::second));
    calls(Texts.UNARY);
    CallScope.builder().open().run(() -> only().result().complete(null));
    simulation.run();
    assertThat(seen).containsExactly("second");
    succeeds(checks.getLast());
    assertThat(held.only().messages()).containsExactly("question");
  }

  @Test
  void afterARefusalNoFurtherInterceptorRuns() {
    Simulation.start(
        builder()
            .interceptHeadersAsync(this::check)
            .interceptHeaders((call, headers) -> seen.add("second")));
    calls(Texts.UNARY);
    fails(only(), REFUSED.asException());
    assertThat(seen).isEmpty();
  }

  @Test
  void aRefusalAfterACheckEndsTheCall() {
    Simulation.start(
        builder()
            .interceptHeadersAsync(this::check)
            .interceptHeaders((call, headers) -> {
              throw REFUSED.asException();
            }));
    MadeCall call = calls(Texts.UNARY);
    succeeds(only());
    assertThat(call.status()).hasToString(REFUSED.toString());
    assertThat(held.all()).isEmpty();
  }

  @Test
  void thoseOfOneServiceHoldItsCallsAlone() {
    MethodDescriptor<String, String> guarded =
        MethodDescriptor.of(
            MethodType.UNARY,
            "test.Guarded/Ask",
            Texts.UNARY.requestMarshaller(),
            Texts.UNARY.responseMarshaller());
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "test.Guarded", List.of(ServerMethodDefinition.of(guarded, new HeldCalls())));
    Simulation.start(builder().add(service, it -> it.withAsyncHeadersInterceptor(this::check)));
    calls(Texts.UNARY);
    assertThat(checks).isEmpty();
    assertThat(held.only().messages()).containsExactly("question");
    calls(guarded);
    assertThat(only().call().method()).isEqualTo(guarded);
  }

  @Test
  void whileACallIsHeldOthersOfItsConnectionGoOn() {
    Simulation.start(
        builder()
            .interceptHeadersAsync(
                (call, headers) -> checks.isEmpty() ? check(call, headers) : done()));
    calls(Texts.UNARY);
    calls(Texts.UNARY);
    assertThat(held.only().messages()).containsExactly("question");
    succeeds(only());
    assertThat(held.all()).hasSize(2);
  }

  @Test
  void flowControlHoldsTheRequestBack() {
    assumeTrue(medium == Medium.HTTP2);
    int window = Limits.INITIAL_WINDOW_BYTES;
    Simulation.start(
        builder()
            .transportLimits(it -> it.withFlowControlWindows(window, 4 * window))
            .interceptHeadersAsync(this::check));
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    simulation.run();
    Http2Stream post =
        client.asks(EndStream.NO, Dialect.GRPC.head("/" + Texts.UNARY.fullMethodName()));
    String message = "x".repeat(3 * window);
    client.sendsContent(post, Dialect.GRPC.content(message), EndStream.YES);
    simulation.run();
    assertThat(post.queuedBytes()).isGreaterThanOrEqualTo(2L * window);
    assertThat(held.all()).isEmpty();

    succeeds(only());
    assertThat(post.queuedBytes()).isZero();
    assertThat(held.only().messages()).containsExactly(message);
  }
}
