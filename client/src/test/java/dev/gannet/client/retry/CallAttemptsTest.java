package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.retry.CallAttempts.BackOff;
import dev.gannet.client.retry.CallAttempts.Begin;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.Joining;
import dev.gannet.client.retry.CallAttempts.State;
import dev.gannet.client.retry.CallAttempts.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state of a call's attempts, and what each input makes of it. */
class CallAttemptsTest {
  private static final Pushback NONE = new Pushback.None();
  private static final Pushback STOP = new Pushback.Stop();
  private static final Pushback SOON = new Pushback.After(7);
  private static final BackOff SOON_AGAIN = new BackOff(Duration.ofMillis(7).toNanos());

  /** What happens to a call, whose attempts are named a, b and c. */
  enum Input {
    BEGIN,
    FAIL,
    DROP,
    TIME,
    JOIN,
    COMMIT,
    NO_TIME,
    CANCEL,
    END_UNBEGUN
  }

  private final RandomGenerator random = new SplittableRandom(1);
  private final RetryThrottle throttle = new RetryThrottle(Optional.of(RetryThrottling.of(10, 1)));
  private final AttemptPolicy retries = retries(RetryingCallTest.policy(3));
  private final AttemptPolicy hedges = hedges(3);

  private AttemptPolicy retries(RetryPolicy policy) {
    return new AttemptPolicy.Retries(policy, 5, throttle);
  }

  private AttemptPolicy hedges(int maxAttempts) {
    return new AttemptPolicy.Hedges(
        HedgingPolicy.of(maxAttempts).withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE)),
        5,
        throttle,
        Optional.empty());
  }

  private void closeThrottle() {
    while (throttle.isOpen()) {
      throttle.onFailure();
    }
  }

  private static AttemptPolicy.Failure failure(Pushback pushback) {
    return new AttemptPolicy.Failure(Status.UNAVAILABLE, pushback, AttemptPolicy.Cause.CLOSED);
  }

  private Decision fail(CallAttempts<String> attempts, String attempt, Pushback pushback) {
    return attempts.fail(attempt, hedges, failure(pushback), random);
  }

  /** A call whose attempt a has begun. */
  private static CallAttempts<String> begun() {
    CallAttempts<String> attempts = new CallAttempts<>();
    attempts.begin("a");
    return attempts;
  }

  /** A call whose attempts a and b run. */
  private CallAttempts<String> both() {
    CallAttempts<String> attempts = begun();
    assertThat(attempts.onTime(hedges)).isEqualTo(new Begin(1));
    assertThat(attempts.join("b", hedges)).isEqualTo(Joining.RUNS);
    return attempts;
  }

  /** A call whose only attempt was dropped, and which waits for the time of the next one. */
  private CallAttempts<String> backingOff() {
    CallAttempts<String> attempts = begun();
    assertThat(fail(attempts, "a", SOON)).isEqualTo(SOON_AGAIN);
    attempts.drop("a");
    return attempts;
  }

  /** In TRYING and COMMITTED, two attempts have begun. */
  private CallAttempts<String> in(State state) {
    return switch (state) {
      case NEW -> new CallAttempts<>();
      case TRYING -> both();
      case BACKING_OFF -> backingOff();
      case COMMITTED -> {
        CallAttempts<String> attempts = both();
        attempts.commit("a");
        yield attempts;
      }
      case OVER -> {
        CallAttempts<String> attempts = backingOff();
        attempts.cancel();
        yield attempts;
      }
    };
  }

  private Object told(CallAttempts<String> attempts, Input input) {
    switch (input) {
      case BEGIN -> attempts.begin("c");
      case DROP -> attempts.drop("a");
      case COMMIT -> attempts.commit("a");
      case FAIL -> {
        return fail(attempts, "a", NONE);
      }
      case TIME -> {
        return attempts.onTime(hedges);
      }
      case JOIN -> {
        return attempts.join("c", hedges);
      }
      case NO_TIME -> {
        return attempts.onNoTime();
      }
      case CANCEL -> {
        return attempts.cancel();
      }
      case END_UNBEGUN -> {
        return attempts.endUnbegun();
      }
    }
    return "-";
  }

  @Test
  void aCallStartsWithoutAttempts() {
    CallAttempts<String> attempts = new CallAttempts<>();
    assertThat(attempts.state()).isEqualTo(State.NEW);
    assertThat(attempts.running()).isEmpty();
    assertThat(attempts.committed()).isNull();
    assertThat(attempts.begun()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void callsCanBeBroughtIntoEachState(State state) {
    assertThat(in(state).state()).isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({
    // state, input; what the caller does, the next state, the attempts that run
    "NEW, BEGIN, -, TRYING, [c]",
    "NEW, FAIL, IGNORE, NEW, []",
    "NEW, DROP, -, NEW, []",
    "NEW, TIME, IGNORE, NEW, []",
    "NEW, JOIN, NOT_NEEDED, NEW, []",
    "NEW, COMMIT, -, NEW, []",
    "NEW, NO_TIME, IGNORE, NEW, []",
    "NEW, CANCEL, END, OVER, []",
    "NEW, END_UNBEGUN, true, OVER, []",
    "TRYING, BEGIN, -, TRYING, '[a, b]'",
    "TRYING, FAIL, Begin[previousAttempts=2], TRYING, '[a, b]'",
    "TRYING, DROP, -, TRYING, [b]",
    "TRYING, TIME, Begin[previousAttempts=2], TRYING, '[a, b]'",
    "TRYING, JOIN, RUNS, TRYING, '[a, b, c]'",
    "TRYING, COMMIT, -, COMMITTED, [a]",
    "TRYING, NO_TIME, IGNORE, TRYING, '[a, b]'",
    "TRYING, CANCEL, COMMIT, TRYING, '[a, b]'",
    "TRYING, END_UNBEGUN, false, TRYING, '[a, b]'",
    "BACKING_OFF, BEGIN, -, BACKING_OFF, []",
    "BACKING_OFF, FAIL, IGNORE, BACKING_OFF, []",
    "BACKING_OFF, DROP, -, BACKING_OFF, []",
    "BACKING_OFF, TIME, Begin[previousAttempts=1], BACKING_OFF, []",
    "BACKING_OFF, JOIN, RUNS, TRYING, [c]",
    "BACKING_OFF, COMMIT, -, BACKING_OFF, []",
    "BACKING_OFF, NO_TIME, END, OVER, []",
    "BACKING_OFF, CANCEL, END, OVER, []",
    "BACKING_OFF, END_UNBEGUN, false, BACKING_OFF, []",
    "COMMITTED, BEGIN, -, COMMITTED, [a]",
    "COMMITTED, FAIL, COMMIT, COMMITTED, [a]",
    "COMMITTED, DROP, -, COMMITTED, [a]",
    "COMMITTED, TIME, IGNORE, COMMITTED, [a]",
    "COMMITTED, JOIN, NOT_NEEDED, COMMITTED, [a]",
    "COMMITTED, COMMIT, -, COMMITTED, [a]",
    "COMMITTED, NO_TIME, IGNORE, COMMITTED, [a]",
    "COMMITTED, CANCEL, COMMIT, COMMITTED, [a]",
    "COMMITTED, END_UNBEGUN, false, COMMITTED, [a]",
    "OVER, BEGIN, -, OVER, []",
    "OVER, FAIL, IGNORE, OVER, []",
    "OVER, DROP, -, OVER, []",
    "OVER, TIME, IGNORE, OVER, []",
    "OVER, JOIN, NOT_NEEDED, OVER, []",
    "OVER, COMMIT, -, OVER, []",
    "OVER, NO_TIME, IGNORE, OVER, []",
    "OVER, CANCEL, IGNORE, OVER, []",
    "OVER, END_UNBEGUN, false, OVER, []",
  })
  void eachStateAnswersEachInput(
      State state, Input input, String decision, State next, String running) {
    CallAttempts<String> attempts = in(state);
    assertThat(told(attempts, input)).hasToString(decision);
    assertThat(attempts.state()).isEqualTo(next);
    assertThat(attempts.running()).hasToString(running);
    assertThat(attempts.committed()).isEqualTo(next == State.COMMITTED ? "a" : null);
  }

  @ParameterizedTest
  @CsvSource({
    // policy, retryable, pushback; what follows if no other attempt runs, and if another one does
    "retries, false, none, COMMIT, COMMIT",
    "retries, false, soon, COMMIT, COMMIT",
    "retries, true, stop, COMMIT, COMMIT",
    "retries, true, soon, BackOff[delayNanos=7000000], BackOff[delayNanos=7000000]",
    "retries, true, now, Begin[previousAttempts=1], Begin[previousAttempts=2]",
    "hedges, false, none, COMMIT, COMMIT",
    "hedges, true, stop, COMMIT, CONTINUE",
    "hedges, true, soon, BackOff[delayNanos=7000000], BackOff[delayNanos=7000000]",
    "hedges, true, now, Begin[previousAttempts=1], Begin[previousAttempts=2]",
    "hedges, true, none, Begin[previousAttempts=1], Begin[previousAttempts=2]",
  })
  void thePolicyDecidesWhatFollowsAFailure(
      String name, boolean retryable, String pushback, String alone, String beside) {
    AttemptPolicy policy = name.equals("hedges") ? hedges : retries;
    Pushback said =
        switch (pushback) {
          case "stop" -> STOP;
          case "soon" -> SOON;
          case "now" -> new Pushback.After(0);
          default -> NONE;
        };
    Status status = retryable ? Status.UNAVAILABLE : Status.INTERNAL;
    AttemptPolicy.Failure failure =
        new AttemptPolicy.Failure(status, said, AttemptPolicy.Cause.CLOSED);
    assertThat(begun().fail("a", policy, failure, random)).hasToString(alone);
    assertThat(both().fail("a", policy, failure, random)).hasToString(beside);
  }

  @Test
  void aRetryWaitsForItsBackoff() {
    BackOff first = (BackOff) begun().fail("a", retries, failure(NONE), random);
    assertThat(Duration.ofNanos(first.delayNanos()))
        .isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
  }

  @Test
  void backoffsGrowWithTheAttemptsSinceTheLastPushback() {
    AttemptPolicy growing =
        retries(
            RetryingCallTest.policy(5)
                .withBackoffMultiplier(1000)
                .withMaxBackoff(Duration.ofDays(1)));
    CallAttempts<String> attempts = begun();
    assertThat(seconds(retried(attempts, growing, "a", NONE))).isOne();
    assertThat(seconds(retried(attempts, growing, "a", NONE))).isEqualTo(1000);
    assertThat(retried(attempts, growing, "a", SOON)).isEqualTo(SOON_AGAIN);
    assertThat(seconds(retried(attempts, growing, "a", NONE))).isOne();
    assertThat(retried(attempts, growing, "a", NONE)).isEqualTo(Verdict.COMMIT);
  }

  /** What follows a failure; if it is a backoff, the next attempt has begun with the same name. */
  private Decision retried(
      CallAttempts<String> attempts, AttemptPolicy policy, String name, Pushback pushback) {
    Decision next = attempts.fail(name, policy, failure(pushback), random);
    if (next instanceof BackOff) {
      attempts.drop(name);
      attempts.onTime(policy);
      attempts.join(name, policy);
    }
    return next;
  }

  /** Without the jitter. */
  private static long seconds(Decision backoff) {
    long seconds = Math.round(((BackOff) backoff).delayNanos() / 1e9);
    return seconds > 500 && seconds < 1500 ? 1000 : seconds;
  }

  @Test
  void aFailedAttemptRunsUntilItIsDroppedOrCommitted() {
    CallAttempts<String> attempts = begun();
    assertThat(fail(attempts, "a", SOON)).isEqualTo(SOON_AGAIN);
    assertThat(attempts.state()).isEqualTo(State.TRYING);
    attempts.commit("a");
    assertThat(attempts.committed()).isEqualTo("a");
  }

  @Test
  void anAttemptThatWasDroppedIsIgnored() {
    CallAttempts<String> attempts = both();
    assertThat(attempts.isUndecided("b")).isTrue();
    attempts.drop("b");
    assertThat(attempts.isUndecided("b")).isFalse();
    assertThat(fail(attempts, "b", NONE)).isEqualTo(Verdict.IGNORE);
    attempts.drop("b");
    attempts.commit("b");
    assertThat(attempts.state()).isEqualTo(State.TRYING);
    assertThat(attempts.running()).containsExactly("a");
  }

  @Test
  void onceCommittedTheOtherAttemptsAreIgnored() {
    CallAttempts<String> attempts = both();
    attempts.commit("b");
    assertThat(attempts.running()).containsExactly("b");
    assertThat(fail(attempts, "a", NONE)).isEqualTo(Verdict.IGNORE);
    attempts.commit("a");
    assertThat(attempts.committed()).isEqualTo("b");
    assertThat(fail(attempts, "b", NONE)).isEqualTo(Verdict.COMMIT);
  }

  @Test
  void withoutARunningAttemptTheCallBacksOff() {
    CallAttempts<String> attempts = both();
    attempts.drop("a");
    assertThat(attempts.state()).isEqualTo(State.TRYING);
    attempts.drop("b");
    assertThat(attempts.state()).isEqualTo(State.BACKING_OFF);
  }

  @Test
  void theLastFailureEndsTheCallUnlessAnAttemptIsAboutToBegin() {
    CallAttempts<String> attempts = both();
    assertThat(attempts.onTime(hedges)).isEqualTo(new Begin(2));
    assertThat(fail(attempts, "a", NONE)).isEqualTo(Verdict.CONTINUE); // all three have begun
    attempts.drop("a");
    assertThat(fail(attempts, "b", NONE)).isEqualTo(Verdict.CONTINUE);
    attempts.drop("b");
    assertThat(attempts.state()).isEqualTo(State.BACKING_OFF);
    assertThat(attempts.join("c", hedges)).isEqualTo(Joining.RUNS);
    assertThat(fail(attempts, "c", NONE)).isEqualTo(Verdict.COMMIT);
  }

  @Test
  void attemptsThatBeginAtTheSameTimeHaveDifferentNumbers() {
    CallAttempts<String> attempts = begun();
    assertThat(attempts.onTime(hedges)).isEqualTo(new Begin(1));
    assertThat(attempts.onTime(hedges)).isEqualTo(new Begin(2));
    assertThat(attempts.begun()).isEqualTo(3);
    attempts.join("b", hedges);
    attempts.join("c", hedges);
    assertThat(attempts.running()).containsExactly("a", "b", "c");
  }

  @Test
  void onlyAPolicyThatHedgesBeginsAttemptsWithoutAFailure() {
    assertThat(begun().hedges(retries)).isFalse();
    assertThat(begun().hedges(hedges)).isTrue();
    assertThat(new CallAttempts<String>().hedges(hedges)).isFalse();
    assertThat(backingOff().hedges(hedges)).isFalse();
  }

  @Test
  void hedgesEndWithTheMaximumOfAttempts() {
    assertThat(both().hedges(hedges(2))).isFalse();
    assertThat(both().hedges(hedges(3))).isTrue();
  }

  @Test
  void noHedgeBeginsAfterAPushbackThatForbidsIt() {
    CallAttempts<String> attempts = both();
    assertThat(fail(attempts, "a", STOP)).isEqualTo(Verdict.CONTINUE);
    attempts.drop("a");
    assertThat(attempts.hedges(hedges)).isFalse();
  }

  @Test
  void noHedgeBeginsAfterALaterFailureEither() {
    CallAttempts<String> attempts = both();
    assertThat(attempts.onTime(hedges(4))).isEqualTo(new Begin(2));
    attempts.join("c", hedges(4));
    assertThat(attempts.fail("a", hedges(4), failure(STOP), random)).isEqualTo(Verdict.CONTINUE);
    attempts.drop("a");
    assertThat(attempts.fail("b", hedges(4), failure(SOON), random)).isEqualTo(Verdict.CONTINUE);
    attempts.drop("b");
    assertThat(attempts.fail("c", hedges(4), failure(NONE), random)).isEqualTo(Verdict.COMMIT);
  }

  @Test
  void noHedgeBeginsWithoutATimer() {
    CallAttempts<String> attempts = begun();
    attempts.stop();
    assertThat(attempts.hedges(hedges)).isFalse();
    assertThat(fail(attempts, "a", NONE)).isEqualTo(new Begin(1));
  }

  @Test
  void noHedgeIsDueByItsDelayWhileOneIsDueByAPushback() {
    CallAttempts<String> attempts = begun();
    assertThat(attempts.onTime(hedges(5))).isEqualTo(new Begin(1));
    assertThat(attempts.fail("a", hedges(5), failure(SOON), random)).isEqualTo(SOON_AGAIN);
    attempts.drop("a");
    assertThat(attempts.join("b", hedges(5))).isEqualTo(Joining.RUNS);
    assertThat(attempts.hedges(hedges(5))).isFalse();
    assertThat(attempts.onTime(hedges(5))).isEqualTo(new Begin(2));
    attempts.join("c", hedges(5));
    assertThat(attempts.hedges(hedges(5))).isTrue();
  }

  @Test
  void aFailureWithoutAPushbackEndsTheWaitForTheTimeOfOne() {
    CallAttempts<String> attempts = both();
    assertThat(attempts.fail("a", hedges(5), failure(SOON), random)).isEqualTo(SOON_AGAIN);
    attempts.drop("a");
    assertThat(attempts.fail("b", hedges(5), failure(NONE), random)).isEqualTo(new Begin(2));
    attempts.drop("b");
    attempts.join("c", hedges(5));
    assertThat(attempts.hedges(hedges(5))).isTrue();
  }

  @Test
  void aBackoffWithoutATimerDoesNotEndACallWhoseNextAttemptIsAboutToBegin() {
    CallAttempts<String> attempts = backingOff();
    assertThat(attempts.onTime(hedges)).isEqualTo(new Begin(1));
    assertThat(attempts.onNoTime()).isEqualTo(Verdict.IGNORE);
    assertThat(attempts.join("b", hedges)).isEqualTo(Joining.RUNS);
  }

  @Test
  void aMissingTimerDoesNotAllowWhatAPushbackForbids() {
    CallAttempts<String> attempts = both();
    fail(attempts, "a", STOP);
    attempts.drop("a");
    attempts.stop();
    assertThat(fail(attempts, "b", NONE)).isEqualTo(Verdict.COMMIT);
  }

  @Test
  void aThrottledChannelBeginsNoHedges() {
    CallAttempts<String> attempts = begun();
    closeThrottle();
    assertThat(attempts.onTime(hedges)).isEqualTo(Verdict.IGNORE);
    assertThat(attempts.state()).isEqualTo(State.TRYING);
    assertThat(attempts.hedges(hedges)).isFalse();
  }

  @Test
  void aThrottledHedgeThatNothingElseReplacesEndsTheCall() {
    CallAttempts<String> attempts = backingOff();
    closeThrottle();
    assertThat(attempts.onTime(hedges)).isEqualTo(Verdict.END);
    assertThat(attempts.state()).isEqualTo(State.OVER);
  }

  @Test
  void aThrottledHedgeDoesNotEndACallWhoseNextAttemptIsAboutToBegin() {
    CallAttempts<String> attempts = both();
    assertThat(attempts.onTime(hedges(4))).isEqualTo(new Begin(2));
    for (String failing : List.of("a", "b")) {
      assertThat(attempts.fail(failing, hedges(4), failure(SOON), random)).isEqualTo(SOON_AGAIN);
      attempts.drop(failing);
    }
    closeThrottle();
    assertThat(attempts.onTime(hedges(4))).isEqualTo(Verdict.IGNORE);
    assertThat(attempts.state()).isEqualTo(State.BACKING_OFF);
    assertThat(attempts.join("c", hedges(4))).isEqualTo(Joining.RUNS);
  }

  @Test
  void aRetryIsThrottledWhenItFailsAndNotWhenItsTimeComes() {
    CallAttempts<String> attempts = backingOff();
    closeThrottle();
    assertThat(attempts.onTime(retries)).isEqualTo(new Begin(1));
    attempts.join("b", retries);
    assertThat(attempts.fail("b", retries, failure(NONE), random)).isEqualTo(Verdict.COMMIT);
  }

  @Test
  void theLastRetryIsCommittedWhenItBegins() {
    CallAttempts<String> attempts = backingOff();
    attempts.onTime(retries);
    assertThat(attempts.join("b", retries)).isEqualTo(Joining.RUNS);
    attempts.drop("b");
    attempts.onTime(retries);
    assertThat(attempts.join("c", retries)).isEqualTo(Joining.RUNS_LAST);
  }

  @Test
  void theLastRetryIsNotCommittedIfItMayTakeTooLong() {
    AttemptPolicy timed =
        retries(RetryingCallTest.policy(2).withPerAttemptReceiveTimeout(Duration.ofSeconds(1)));
    CallAttempts<String> attempts = backingOff();
    attempts.onTime(timed);
    assertThat(attempts.join("b", timed)).isEqualTo(Joining.RUNS);
  }

  @Test
  void theNextAttemptIsTheLastIfTheRequestIsNotKept() {
    CallAttempts<String> attempts = backingOff();
    attempts.onOverflow();
    attempts.onTime(hedges);
    assertThat(attempts.join("b", hedges)).isEqualTo(Joining.RUNS_LAST);
  }

  @Test
  void anAttemptThatJoinsTooLateIsNotNeeded() {
    for (State state : List.of(State.TRYING, State.BACKING_OFF)) {
      CallAttempts<String> attempts = in(state);
      attempts.onTime(hedges);
      attempts.cancel();
      attempts.commit("b");
      assertThat(attempts.join("c", hedges)).isEqualTo(Joining.NOT_NEEDED);
    }
  }

  @Test
  void anAttemptThatFailsBecauseItWasLateIsCountedOnce() {
    CallAttempts<String> attempts = begun();
    closeThrottle();
    assertThat(attempts.fail("a", retries, failure(NONE), random)).isEqualTo(Verdict.COMMIT);
    assertThat(attempts.isCounted("a")).isTrue();
    while (!throttle.isOpen()) {
      throttle.onSuccess();
    }
    assertThat(attempts.fail("a", retries, failure(NONE), random)).isEqualTo(Verdict.COMMIT);
    assertThat(throttle.isOpen()).isTrue();
  }
}
