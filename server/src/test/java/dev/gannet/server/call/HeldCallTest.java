package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.settings.CallBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call is held from when it has begun until the check of its headers has completed. */
final class HeldCallTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.transport");
  private static final CallAdmission.Decided REFUSED =
      new CallAdmission.Refused(
          Status.PERMISSION_DENIED.withDescription("not you"), new Metadata());

  private final SimulatedLoop loop = new SimulatedLoop();
  private final FakeServerStream stream = new FakeServerStream();
  private final List<String> heard = new ArrayList<>();
  private final CompletableFuture<Void> check = new CompletableFuture<>();

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  /** Admits its calls, or not. */
  private record Limit(CallAdmission.Decided admission, List<String> heard)
      implements CallObserver {
    @Override
    public CallAdmission.Decided admit(CallContext call) {
      heard.add("limit");
      return admission;
    }

    @Override
    public void onHandlerEnded(Status.Code code) {
      heard.add("ended " + code);
    }

    @Override
    public void onCutOff(Status.Code code) {
      heard.add("cut off " + code);
    }
  }

  private record Handler(List<String> heard) implements ServerCall.Listener<String> {
    @Override
    public void onMessage(String message) {
      heard.add(message);
    }

    @Override
    public void onHalfClose() {
      heard.add("half-close");
    }
  }

  private Handler start(ServerCall<String, String> call, Metadata headers) {
    heard.add("begin");
    call.request(10);
    return new Handler(heard);
  }

  private IncomingCall<String, String> held(MethodType type, CallAdmission.Pending pending) {
    return held(type, pending, List.of());
  }

  private IncomingCall<String, String> held(
      MethodType type, CallAdmission.Pending pending, List<CallObserver.Factory> observers) {
    IncomingCall<String, String> call =
        new ServedMethod<>(
                TestCalls.served(type, this::start),
                () -> new OnExecutor(loop),
                CallBounds.DEFAULT,
                new Draining(),
                Optional.of(context -> pending),
                observers)
            .begin(stream);
    assertThat(call.onBegun()).isEqualTo(pending);
    flush(call);
    return call;
  }

  private IncomingCall<String, String> limited(MethodType type, CallAdmission.Decided admission) {
    Limit limit = new Limit(admission, heard);
    return held(type, whenChecked(CallAdmission.ADMITTED), List.of(() -> limit));
  }

  private IncomingCall<String, String> held(MethodType type) {
    return held(type, whenChecked(CallAdmission.ADMITTED));
  }

  private CallAdmission.Pending whenChecked(CallAdmission next) {
    return then(failure -> next);
  }

  private CallAdmission.Pending then(Function<@Nullable Throwable, CallAdmission> next) {
    return new CallAdmission.Pending(check, next);
  }

  private void flush(IncomingCall<String, String> call) {
    call.flush();
    loop.runUntilIdle();
  }

  /** The transport lets the tasks run that wait for the turn of the call, and flushes it. */
  private void takeTurn(IncomingCall<String, String> call) {
    List<Runnable> tasks = List.copyOf(stream.forLoop);
    stream.forLoop.clear();
    tasks.forEach(Runnable::run);
    flush(call);
  }

  private void succeed(IncomingCall<String, String> call) {
    check.complete(null);
    takeTurn(call);
  }

  private void fail(IncomingCall<String, String> call) {
    check.completeExceptionally(new IllegalStateException("no such user"));
    takeTurn(call);
  }

  private void ask(IncomingCall<String, String> call) {
    call.add(CallEvent.Message.parsed("request", 7));
    call.add(new CallEvent.HalfClosed());
    flush(call);
  }

  private void end(IncomingCall<String, String> call, Status status) {
    call.add(CallEvent.Closed.atOnce(status));
    flush(call);
  }

  private void assertDropped() {
    assertThat(heard).doesNotContain("begin");
    assertThat(stream.handlersEnded).isOne();
    assertThat(loop.pendingTasks()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatComesMeanwhileIsKept(MethodType type) {
    IncomingCall<String, String> call = held(type);
    ask(call);
    assertThat(heard).isEmpty();
    succeed(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void aRequestMayComeAfterTheCheck(MethodType type) {
    IncomingCall<String, String> call = held(type);
    succeed(call);
    assertThat(heard.contains("begin")).isEqualTo(!type.clientSendsOneMessage());
    ask(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void theCheckMayCompleteBetweenAMessageAndTheHalfClose(MethodType type) {
    IncomingCall<String, String> call = held(type);
    call.add(CallEvent.Message.parsed("request", 7));
    flush(call);
    succeed(call);
    call.add(new CallEvent.HalfClosed());
    flush(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void aLastMessageMakesTheRequestOfAHeldCallWhole(MethodType type) {
    IncomingCall<String, String> call = held(type);
    call.add(CallEvent.Message.handed("request", CallEvent.Following.HALF_CLOSE));
    flush(call);
    succeed(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void readinessStartsNoHeldCall(MethodType type) {
    IncomingCall<String, String> call = held(type);
    call.add(new CallEvent.Ready());
    flush(call);
    ask(call);
    assertThat(heard).isEmpty();
    succeed(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @Test
  void theSingleMessageOfAHeldCallIsNotRequested() {
    IncomingCall<String, String> call = held(MethodType.UNARY);
    assertThat(call.isMessageRequested()).isFalse();
    assertThat(stream.requests).isZero();
    succeed(call);
    assertThat(call.isMessageRequested()).isTrue();
    assertThat(stream.requests).isOne();
  }

  @Test
  void aWholeRequestLeavesTheCallHeld() {
    IncomingCall<String, String> call = held(MethodType.UNARY);
    ask(call);
    assertThat(call.isMessageRequested()).isFalse();
    assertThat(stream.consumedBytes).isZero();
    assertThat(loop.pendingTasks()).isZero();
  }

  @Test
  void aCheckThatIsCompleteAlreadyWaitsForTheTurnOfTheCall() {
    check.complete(null);
    IncomingCall<String, String> call = held(MethodType.BIDI_STREAMING);
    assertThat(heard).isEmpty();
    takeTurn(call);
    assertThat(heard).containsExactly("begin");
  }

  @Test
  void aCheckMayCompleteOnAnyThread() throws InterruptedException {
    IncomingCall<String, String> call = held(MethodType.BIDI_STREAMING);
    Thread.ofVirtual().start(() -> check.complete(null)).join();
    flush(call);
    assertThat(heard).isEmpty();
    takeTurn(call);
    assertThat(heard).containsExactly("begin");
  }

  @Test
  void aCheckMayCompleteOnTheLoopOfTheCall() {
    stream.onLoop = true;
    IncomingCall<String, String> call = held(MethodType.UNARY);
    ask(call);
    loop.execute(() -> check.complete(null));
    loop.runUntilIdle();
    assertThat(heard).isEmpty();
    takeTurn(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void aHeldCallThatIsCancelledNeverStarts(MethodType type) {
    IncomingCall<String, String> call = held(type);
    end(call, Status.CANCELLED);
    assertDropped();
    succeed(call);
    assertDropped();
    assertThat(stream.told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aHeldCallWhoseDeadlinePassesAfterItsRequestNeverStarts(MethodType type) {
    IncomingCall<String, String> call = held(type);
    ask(call);
    end(call, Status.DEADLINE_EXCEEDED);
    assertDropped();
    assertThat(stream.consumedBytes).isEqualTo(7);
    fail(call);
    assertDropped();
    assertThat(stream.told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCancellationInTheBatchOfTheCheckComesFirst(MethodType type) {
    IncomingCall<String, String> call = held(type);
    check.complete(null);
    call.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    takeTurn(call);
    assertDropped();
    assertThat(stream.requests).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aCancellationAfterTheCheckDropsACallThatWasNotHandedOver(MethodType type) {
    IncomingCall<String, String> call = held(type);
    check.complete(null);
    stream.forLoop.removeFirst().run();
    end(call, Status.CANCELLED);
    assertDropped();
  }

  @Test
  void actionsHearOfTheCancellationOfAHeldCall() {
    IncomingCall<String, String> call = held(MethodType.UNARY);
    call.context().onCancelled(() -> heard.add("cancelled"));
    end(call, Status.CANCELLED);
    assertThat(heard).containsExactly("cancelled");
  }

  @ParameterizedTest
  @EnumSource
  void aCheckThatFailsRefusesTheCall(MethodType type) {
    IncomingCall<String, String> call =
        held(type, then(failure -> failure == null ? CallAdmission.ADMITTED : REFUSED));
    ask(call);
    fail(call);
    assertThat(stream.told).containsExactly("fail PERMISSION_DENIED: not you");
    assertDropped();
    end(call, Status.PERMISSION_DENIED);
    assertDropped();
    assertThat(stream.consumedBytes).isEqualTo(7);
  }

  @Test
  void aCallMayBeRefusedBeforeItsRequestComes() {
    IncomingCall<String, String> call = held(MethodType.UNARY, whenChecked(REFUSED));
    succeed(call);
    assertThat(stream.told).containsExactly("fail PERMISSION_DENIED: not you");
    ask(call);
    assertDropped();
    assertThat(stream.requests).isZero();
  }

  @Test
  void aDecisionThatThrowsRefusesTheCall() {
    IncomingCall<String, String> call =
        held(
            MethodType.UNARY,
            then(failure -> {
              throw new IllegalStateException("a secret");
            }));
    succeed(call);
    assertThat(stream.told).singleElement().asString().startsWith("fail INTERNAL: the call cannot");
    assertDropped();
  }

  @ParameterizedTest
  @EnumSource
  void aCheckMayBeFollowedByAnother(MethodType type) {
    CompletableFuture<Void> second = new CompletableFuture<>();
    IncomingCall<String, String> call =
        held(
            type,
            whenChecked(new CallAdmission.Pending(second, failure -> CallAdmission.ADMITTED)));
    succeed(call);
    ask(call);
    assertThat(heard).isEmpty();
    assertThat(stream.requests).isZero();
    second.complete(null);
    takeTurn(call);
    assertThat(heard).containsExactly("begin", "request", "half-close");
  }

  @Test
  void theSecondCheckMayRefuseTheCall() {
    CompletableFuture<Void> second = new CompletableFuture<>();
    IncomingCall<String, String> call =
        held(MethodType.UNARY, whenChecked(new CallAdmission.Pending(second, failure -> REFUSED)));
    succeed(call);
    second.complete(null);
    takeTurn(call);
    assertThat(stream.told).containsExactly("fail PERMISSION_DENIED: not you");
    assertDropped();
  }

  @Test
  void aCallMayBeCancelledBetweenTwoChecks() {
    CompletableFuture<Void> second = new CompletableFuture<>();
    IncomingCall<String, String> call =
        held(
            MethodType.UNARY,
            whenChecked(new CallAdmission.Pending(second, failure -> CallAdmission.ADMITTED)));
    succeed(call);
    end(call, Status.CANCELLED);
    second.complete(null);
    takeTurn(call);
    assertDropped();
  }

  @ParameterizedTest
  @EnumSource
  void limitsSeeACallAfterItsCheck(MethodType type) {
    IncomingCall<String, String> call = limited(type, CallAdmission.ADMITTED);
    ask(call);
    assertThat(heard).isEmpty();
    succeed(call);
    assertThat(heard).containsExactly("limit", "begin", "request", "half-close");
  }

  @Test
  void aLimitMayRefuseACallThatWasHeld() {
    IncomingCall<String, String> call = limited(MethodType.UNARY, REFUSED);
    ask(call);
    succeed(call);
    assertThat(heard).containsExactly("limit", "ended PERMISSION_DENIED");
    assertDropped();
  }

  @Test
  void limitsDoNotSeeACallThatEndsWhileItIsHeld() {
    IncomingCall<String, String> call = limited(MethodType.UNARY, CallAdmission.ADMITTED);
    end(call, Status.CANCELLED);
    succeed(call);
    assertThat(heard).containsExactly("cut off CANCELLED", "ended CANCELLED");
  }
}
