package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Deadline;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TestCallContext;
import dev.gannet.api.stub.AsyncCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that share a deadline, values and their cancellation. */
final class CallScopeTest {
  private static final CallContext.Key<String> TENANT = CallContext.Key.of("tenant");
  private static final CallContext.Key<String> JOB = CallContext.Key.of("job");

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation().with(Texts.UNARY, held);
  private final List<String> seen = new ArrayList<>();
  private Channel channel = simulation.channel();

  /** Notes the values of the scope in which a call is made. */
  private record Looking(List<String> seen) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      seen.add(valueHere(TENANT) + " " + valueHere(JOB));
      return next.newCall(method, options);
    }
  }

  private static String valueHere(CallContext.Key<String> key) {
    return CallParent.current().flatMap(it -> it.value(key)).orElse("-");
  }

  @BeforeEach
  void serve() {
    simulation.serve();
    channel = ClientInterceptor.intercept(simulation.channel(), List.of(new Looking(seen)));
  }

  private MadeCall callIn(CallParent parent) {
    return callIn(parent, CallOptions.DEFAULT);
  }

  private MadeCall callIn(CallParent parent, CallOptions options) {
    List<MadeCall> made = new ArrayList<>();
    parent.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, options, "question")));
    simulation.run();
    return made.getFirst();
  }

  private Deadline in(int seconds) {
    return Deadline.after(Duration.ofSeconds(seconds), simulation.loop()::nanoTime);
  }

  private void afterSeconds(int seconds) {
    simulation.advance(Duration.ofSeconds(seconds));
  }

  private static CallScope open() {
    return CallScope.builder().open();
  }

  private static CallScope openIn(CallParent parent) {
    return openIn(parent, CallScope.builder());
  }

  private static CallScope openIn(CallParent parent, CallScope.Builder builder) {
    List<CallScope> opened = new ArrayList<>();
    parent.run(() -> opened.add(builder.open()));
    return opened.getFirst();
  }

  @Test
  void theDeadlineOfTheScopeEndsItsCalls() {
    try (CallScope scope = CallScope.builder().deadline(in(5)).open()) {
      MadeCall one = callIn(scope);
      MadeCall other = callIn(scope);
      afterSeconds(4);
      assertThat(one.isClosed()).isFalse();
      afterSeconds(1);
      assertThat(one.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(other.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(scope.isCancelled()).isFalse();
    }
  }

  @Test
  void theShorterDeadlineOfCallAndScopeApplies() {
    try (CallScope scope = CallScope.builder().deadline(in(5)).open()) {
      MadeCall hurried = callIn(scope, CallOptions.DEFAULT.withDeadline(in(2)));
      MadeCall patient = callIn(scope, CallOptions.DEFAULT.withDeadline(in(9)));
      afterSeconds(2);
      assertThat(hurried.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(patient.isClosed()).isFalse();
      afterSeconds(3);
      assertThat(patient.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void aScopeInheritsTheShorterDeadline() {
    Deadline ofCall = in(5);
    Deadline earlier = in(3);
    TestCallContext served = CallContext.forTest().deadline(ofCall).build();
    assertThat(openIn(served).deadline()).containsSame(ofCall);
    CallScope shorter = openIn(served, CallScope.builder().deadline(earlier));
    assertThat(shorter.deadline()).containsSame(earlier);
    CallScope longer = openIn(served, CallScope.builder().deadline(in(8)));
    assertThat(longer.deadline()).containsSame(ofCall);
    CallScope innermost = openIn(shorter, CallScope.builder().deadline(in(4)));
    assertThat(innermost.deadline()).containsSame(earlier);
  }

  @Test
  void aDurationCountsFromTheOpening() {
    try (CallScope scope =
        CallScope.builder().deadline(in(5)).deadline(Duration.ofHours(1)).open()) {
      assertThat(scope.deadline().orElseThrow().timeout()).isEqualTo(Duration.ofHours(1));
    }
  }

  @Test
  void cancellingAScopeEndsAllItsCallsWithTheReason() {
    CallScope scope = open();
    MadeCall one = callIn(scope);
    MadeCall other = callIn(scope);
    MadeCall outside = MadeCall.whole(channel, Texts.UNARY, "question");
    simulation.run();
    IllegalStateException cause = new IllegalStateException("cause");
    scope.cancel("one is enough", cause);
    scope.cancel("too late");
    simulation.run();
    assertThat(List.of(one.status(), other.status()))
        .allSatisfy(status -> {
          assertThat(status).hasToString("CANCELLED: one is enough");
          assertThat(status.cause()).containsSame(cause);
        });
    assertThat(held.all()).extracting(HeldCall::cancels).containsExactly(1, 1, 0);
    assertThat(outside.isClosed()).isFalse();
    assertThat(scope.cancellation()).hasToString("Optional[CANCELLED: one is enough]");
  }

  @Test
  void aCallInACancelledScopeEndsAtOnce() {
    CallScope scope = open();
    scope.cancel("one is enough");
    assertThat(callIn(scope).status()).hasToString("CANCELLED: one is enough");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void closingAScopeCancelsWhatStillRuns() {
    CallScope scope = open();
    MadeCall answered = callIn(scope);
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    MadeCall running = callIn(scope);
    scope.close();
    scope.close();
    simulation.run();
    assertThat(answered.status()).isEqualTo(Status.OK);
    assertThat(running.status()).hasToString("CANCELLED: the call scope was closed");
    assertThat(callIn(scope).status()).hasToString("CANCELLED: the call scope was closed");
  }

  @Test
  void interceptorsOfClientsSeeTheValues() {
    try (CallScope outer = CallScope.builder().value(TENANT, "acme").value(JOB, "7").open();
        CallScope inner = openIn(outer, CallScope.builder().value(JOB, "8"))) {
      callIn(outer);
      callIn(inner);
      callIn(outer);
    }
    MadeCall.whole(channel, Texts.UNARY, "question");
    assertThat(seen).containsExactly("acme 7", "acme 8", "acme 7", "- -");
  }

  @Test
  void aScopeInAHandlerSeesTheValuesOfTheCall() {
    TestCallContext served = CallContext.forTest().value(TENANT, "acme").build();
    callIn(openIn(served, CallScope.builder().value(JOB, "7")));
    assertThat(seen).containsExactly("acme 7");
    assertThat(served.value(JOB)).isEmpty();
  }

  @Test
  void theCancellationOfTheHandlersCallCancelsTheScope() {
    TestCallContext served = CallContext.forTest().build();
    MadeCall call = callIn(openIn(openIn(served)));
    served.cancel();
    simulation.run();
    assertThat(call.status())
        .hasToString(
            "CANCELLED: the call scope was opened by a handler whose own call was cancelled");
    assertThat(openIn(served).isCancelled()).isTrue();
  }

  @Test
  void theDeadlineOfTheHandlersCallIsTheReasonIfItHasPassed() {
    TestCallContext served = CallContext.forTest().deadline(in(5)).build();
    MadeCall call = callIn(openIn(served));
    afterSeconds(5);
    served.cancel(Status.DEADLINE_EXCEEDED);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aScopeIsCancelledWithTheOneAroundIt() {
    CallScope outer = open();
    CallScope inner = openIn(outer);
    MadeCall ofOuter = callIn(outer);
    MadeCall ofInner = callIn(inner);
    CallScope other = openIn(outer);
    other.cancel("alone");
    simulation.run();
    assertThat(ofOuter.isClosed()).isFalse();
    assertThat(ofInner.isClosed()).isFalse();
    outer.cancel("all together");
    simulation.run();
    assertThat(ofOuter.status()).hasToString("CANCELLED: all together");
    assertThat(ofInner.status()).hasToString("CANCELLED: all together");
    assertThat(other.cancellation()).hasToString("Optional[CANCELLED: alone]");
  }

  @Test
  void theCurrentCallInAScopeIsThatOfTheHandler() {
    TestCallContext served = CallContext.forTest().build();
    CallScope scope = openIn(openIn(served));
    scope.run(() -> {
      assertThat(CallContext.current()).containsSame(served);
      assertThat(CallParent.current()).containsSame(scope);
    });
    try (CallScope alone = open()) {
      alone.run(() -> {
        assertThat(CallContext.current()).isEmpty();
        assertThat(CallParent.current()).containsSame(alone);
      });
    }
    assertThat(CallParent.current()).isEmpty();
  }

  @Test
  void detachedCallsAreOutsideOfEveryScope() {
    CallScope scope = CallScope.builder().value(TENANT, "acme").open();
    List<MadeCall> made = new ArrayList<>();
    scope.run(() ->
        CallContext.runDetached(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "question"))));
    simulation.run();
    scope.cancel("over");
    simulation.run();
    assertThat(made.getFirst().isClosed()).isFalse();
    assertThat(seen).containsExactly("- -");
  }

  @Test
  void wrappedTasksBelongToTheScopeOnAnyThread() throws Exception {
    try (CallScope scope = CallScope.builder().value(TENANT, "acme").open()) {
      List<String> found = new ArrayList<>();
      Thread.ofPlatform().start(scope.wrap((Runnable) () -> found.add(valueHere(TENANT)))).join();
      Executor executor = scope.wrap((Executor) task -> joined(Thread.ofPlatform().start(task)));
      executor.execute(() -> found.add(valueHere(TENANT)));
      assertThat(scope.<Optional<CallParent>>call(CallParent::current)).containsSame(scope);
      assertThat(found).containsExactly("acme", "acme");
    }
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatFollowsACallBelongsToItsScope() throws Exception {
    try (CallScope scope = CallScope.builder().value(TENANT, "acme").open()) {
      CompletableFuture<String> found =
          scope
              .call(() -> AsyncCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "question"))
              .thenApply(answer -> valueHere(TENANT));
      simulation.run();
      held.only().answers("answer");
      held.only().ends();
      simulation.run();
      assertThat(found).isCompletedWithValue("acme");
    }
  }

  @Test
  void aFutureFailsWithTheReason() throws Exception {
    CallScope scope = open();
    CompletableFuture<String> call =
        scope.call(() -> AsyncCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "question"));
    simulation.run();
    scope.cancel("one is enough");
    simulation.run();
    assertThat(call.exceptionNow())
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("one is enough");
  }

  @Test
  void actionsRunOnceWhenTheScopeIsCancelledAndAllOfThem() {
    List<String> run = new ArrayList<>();
    CallScope scope = open();
    scope.onCancelled(() -> run.add("first"));
    scope.onCancelled(() -> {
      throw new IllegalStateException("of an action");
    });
    scope.onCancelled(() -> run.add("removed")).close();
    scope.onCancelled(() -> run.add("last"));
    scope.cancel("over");
    scope.close();
    scope.onCancelled(() -> run.add("late"));
    assertThat(run).containsExactly("first", "last", "late");
  }

  @Test
  void aTaskThatThrowsLeavesTheScope() {
    try (CallScope scope = open()) {
      assertThatThrownBy(() ->
              scope.run(() -> {
                throw new IllegalStateException("broken");
              }))
          .hasMessage("broken");
      assertThat(CallParent.current()).isEmpty();
    }
  }

  /** The thread that runs an action may be that of another user, who starts a call. */
  @Test
  void anActionThatThrowsIsNotSeenByOtherUsersOfTheScope() {
    CallScope scope = open();
    List<String> ran = new ArrayList<>();
    scope.cancel("enough");
    Registration registration =
        scope.onCancelled(() -> {
          ran.add("action");
          throw new IllegalStateException("its fault");
        });
    registration.close();
    assertThat(ran).containsExactly("action");
  }
}
