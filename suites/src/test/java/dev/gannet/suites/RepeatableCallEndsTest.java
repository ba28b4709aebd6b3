package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallScope;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Deadline;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TestCallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where the listener of a call that is made again is notified of ends that are not those of one of
 * its calls.
 */
final class RepeatableCallEndsTest extends RepeatableCalls {
  private final HeldTasks executor = new HeldTasks();

  /** Fails for the first time, and is undecided, or decided by the retry, from then on. */
  private MadeCall failed(OneRetry retry) {
    channel = behind(retry);
    MadeCall call =
        MadeCall.whole(
            channel, Texts.UNARY, CallOptions.DEFAULT.withExecutor(executor), "question");
    fails(1);
    executor.run();
    return call;
  }

  private void assertEndsOnItsExecutor(MadeCall call, String status) {
    simulation.run();
    assertThat(call.heard().events()).isEmpty();
    executor.run();
    assertThat(call.status()).hasToString(status);
    assertThat(call.heard().closes()).isOne();
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void aCallThatIsCancelledBetweenTwoCallsEndsOnItsExecutor() {
    MadeCall call = failed(new LateRetry());
    call.call().cancel("no longer wanted");
    assertEndsOnItsExecutor(call, "CANCELLED: no longer wanted");
  }

  @Test
  void aCallWhoseScopeIsCancelledEndsOnItsExecutor() {
    CallScope scope = CallScope.builder().open();
    List<MadeCall> made = new ArrayList<>();
    scope.run(() -> made.add(failed(new LateRetry())));
    scope.cancel("no longer wanted");
    assertEndsOnItsExecutor(made.getFirst(), "CANCELLED: no longer wanted");
  }

  /** Ends the call instead, with trailers. */
  private final class LateEnd implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new RepeatableClientCall<>(method, options, next) {
        @Override
        protected ClientCall<Q, R> newCall(Metadata headers) {
          return next.newCall(method, options);
        }

        @Override
        protected void onUnanswered(Status status, Metadata trailers) {
          later.add(() -> end(Status.ABORTED, ofTenant()));
        }
      };
    }
  }

  private MadeCall started(ClientInterceptor... interceptors) {
    return MadeCall.whole(
        behind(interceptors), Texts.UNARY, CallOptions.DEFAULT.withExecutor(executor), "question");
  }

  @Test
  void aCallThatIsEndedLaterEndsOnItsExecutorWithTrailers() {
    MadeCall call = started(new LateEnd());
    fails(1);
    executor.run();
    later.getFirst().run();
    assertEndsOnItsExecutor(call, "ABORTED");
    assertThat(call.heard().trailers().get(TENANT)).hasValue("acme");
  }

  @Test
  void whatAListenerThrowsAtTheEndIsNotForTheThreadThatEndsTheCall() {
    MadeCall call =
        MadeCall.whole(
            behind(BrokenEnd.UNTOLD, new LateEnd()),
            Texts.UNARY,
            CallOptions.DEFAULT.withExecutor(Runnable::run),
            "question");
    fails(1);
    later.getFirst().run();
    assertThat(call.isClosed()).isFalse(); // a listener has swallowed it
  }

  /** Its further calls cannot be made, or cannot be started. */
  private final class OneCallOnly extends LateRetry {
    private final boolean startsIt;
    private final boolean makesIt;

    OneCallOnly(String how) {
      makesIt = how.equals("made");
      startsIt = how.equals("started");
    }

    @Override
    <Q, R> ClientCall<Q, R> newCall(
        boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      StatusException refusal = Status.PERMISSION_DENIED.asException(ofTenant());
      if (again && !makesIt && !startsIt) {
        throw refusal;
      }
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          if (!again || startsIt) {
            super.start(listener, headers);
          }
          if (again) {
            throw refusal;
          }
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"not made", "made", "started"})
  void aSecondCallThatDoesNotStartEndsTheCallOnItsExecutorWithTrailers(String how) {
    MadeCall call = failed(new OneCallOnly(how));
    later.getFirst().run();
    assertEndsOnItsExecutor(call, "PERMISSION_DENIED");
    assertThat(call.heard().trailers().get(TENANT)).hasValue("acme");
    assertNothingIsLeft();
  }

  @Test
  void aListenerGetsTheEndIfTheExecutorFails() {
    List<Runnable> kept = new ArrayList<>();
    List<Error> failures = new ArrayList<>();
    Executor failing =
        task -> {
          if (failures.isEmpty()) {
            executor.execute(task);
          } else {
            kept.add(task);
            throw failures.getFirst();
          }
        };
    MadeCall call =
        MadeCall.whole(
            behind(new LateRetry()),
            Texts.UNARY,
            CallOptions.DEFAULT.withExecutor(failing),
            "question");
    fails(1);
    executor.run();
    failures.add(new StackOverflowError());
    call.call().cancel("no longer wanted");
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    kept.forEach(Runnable::run);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void anInterceptorThatThrowsAStatusEndsTheCallWithIt() {
    MadeCall call =
        failed(
            new OneRetry() {
              @Override
              void decided(Runnable repeat) {
                throw Status.PERMISSION_DENIED.asException(ofTenant());
              }
            });
    assertThat(call.status()).isEqualTo(Status.PERMISSION_DENIED);
    assertThat(call.heard().trailers().get(TENANT)).hasValue("acme");
    assertNothingIsLeft();
  }

  @Test
  void anInterceptorThatThrowsAfterItHasRepeatedTheCallEndsThatOne() {
    MadeCall call =
        failed(
            new OneRetry() {
              @Override
              void decided(Runnable repeat) {
                repeat.run();
                throw Status.PERMISSION_DENIED.asException();
              }
            });
    simulation.run();
    executor.run();
    assertThat(call.status()).isEqualTo(Status.PERMISSION_DENIED);
    assertThat(call.heard().closes()).isOne();
    assertNothingIsLeft();
  }

  @Test
  void aCallOfACancelledScopeIsNotRepeated() {
    CallScope scope = CallScope.builder().open();
    List<MadeCall> made = new ArrayList<>();
    channel = behind(new LateRetry());
    scope.run(() ->
        made.add(
            MadeCall.whole(
                channel, Texts.UNARY, CallOptions.DEFAULT.withExecutor(executor), "question")));
    fails(1); // its listener does not know yet
    scope.cancel("no longer wanted");
    executor.run();
    assertThat(made.getFirst().isClosed()).isTrue();
    assertThat(later).isEmpty();
  }

  @Test
  void aCallEndsLateIfTheDeadlineOfTheHandlerPassesBetweenTwoCalls() {
    channel = behind(new LateRetry());
    Duration second = Duration.ofSeconds(1);
    TestCallContext handler =
        CallContext.forTest().deadline(Deadline.after(second, simulation.loop()::nanoTime)).build();
    List<MadeCall> made = new ArrayList<>();
    handler.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "question")));
    fails(1);
    simulation.advance(second);
    handler.cancel();
    simulation.run();
    assertThat(made.getFirst().status())
        .hasToString("DEADLINE_EXCEEDED: deadline exceeded, inherited from the incoming call");
  }
}
