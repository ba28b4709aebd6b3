package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which attempt is sent which part of the request, when, and on which thread. */
@Timeout(30)
final class AttemptFeederTest {
  private static final int ALL_BYTES = 300;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final AttemptPolicy POLICY = AttemptTimersTest.hedging();

  private final TestChannel test = new TestChannel();
  private final RetryState<String, String> state = state();
  private final Call call = new Call();

  private RetryState<String, String> state() {
    RetryingCall<String, String> made =
        RetryingCall.withPolicy(
            test.callOwner(),
            TestChannel.BIDI,
            CallOptions.DEFAULT,
            new MethodSettings(MethodConfig.EMPTY, Optional.of(POLICY), RetryThrottle.NONE));
    return new RetryState<>(new ReplayLimits(ALL_BYTES, ALL_BYTES), test.pipes, made);
  }

  /** Another thread can take the lock. */
  private void isUnlocked() {
    assertThat(CompletableFuture.supplyAsync(state::waitReason)).succeedsWithin(TIMEOUT);
  }

  /** What the call is told, which is never under the lock. */
  private final class Call implements AttemptFeeder.Listener<String, String> {
    final List<CountedAttempt<String, String>> farthest = new ArrayList<>();
    final List<Status> ends = new ArrayList<>();
    final List<Boolean> commits = new ArrayList<>();
    Runnable beforeCommit = () -> {};

    @Override
    public void onOverflow(CountedAttempt<String, String> attempt) {
      isUnlocked();
      farthest.add(attempt);
      beforeCommit.run();
      commits.add(commit(attempt));
    }

    @Override
    public void onUnsendable(Status why) {
      isUnlocked();
      ends.add(why);
    }
  }

  /** An attempt that has its stream. */
  private record Try(CountedAttempt<String, String> attempt, FakeStream<String> stream) {
    List<String> told() {
      return stream.told.stream()
          .filter(it -> !it.equals("flush"))
          .map(it -> it.replace(" (not compressed)", ""))
          .toList();
    }
  }

  private AttemptFeeder<String, String> feeder(MethodDescriptor<String, String> method) {
    return new AttemptFeeder<>(method, state, call);
  }

  private Try made(MethodDescriptor<String, String> method) {
    Attempt<String, String> made =
        new Attempt<>(
            new PlainCall<>(test.callOwner(), method, CallOptions.DEFAULT, TestChannel.NO_POLICY));
    CallStart<String, String> start =
        new CallStart<>(
            method,
            Optional.of("here"),
            new Metadata(),
            Optional.empty(),
            new CallMessages(MessageEncoding.IDENTITY, 1, 1));
    FakeStream<String> stream = new FakeStream<>(start, made);
    made.connect(stream);
    return new Try(new CountedAttempt<>(made, start), stream);
  }

  private Try first(MethodDescriptor<String, String> method) {
    Try first = made(method);
    state.beginFirst(first.attempt);
    return first;
  }

  private Try another() {
    Try next = made(TestChannel.BIDI);
    assertThat(state.join(next.attempt, POLICY)).isEqualTo(CallAttempts.Joining.RUNS);
    return next;
  }

  private boolean commit(CountedAttempt<String, String> attempt) {
    return state.commit(attempt).isPresent();
  }

  /** The attempt fails, and another one is to begin. */
  private void fails(CountedAttempt<String, String> attempt) {
    CallEvent.Closed closed = CallEvent.Closed.atOnce(Status.UNAVAILABLE);
    AttemptPolicy.Failure failure = AttemptPolicy.Failure.of(closed, AttemptPolicy.Cause.CLOSED);
    assertThat(state.fail(attempt, closed, POLICY, failure).next())
        .isInstanceOf(CallAttempts.Begin.class);
  }

  @Test
  void everyRunningAttemptIsSentTheRequestInItsOrder() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try one = first(TestChannel.BIDI);
    feeder.sendMessage("a", false);
    Try two = another();
    feeder.sendMessage("b", false);
    feeder.sendHalfClose();
    assertThat(one.told()).containsExactly("a", "b", "half-close");
    assertThat(two.told()).containsExactly("a", "b", "half-close");
  }

  @Test
  void anAttemptThatBeginsLaterIsSentWhatItLacks() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    first(TestChannel.BIDI);
    feeder.sendMessage("a", false);
    feeder.sendHalfClose();
    Try two = another();
    feeder.sendRest(two.attempt);
    feeder.sendRest(two.attempt);
    assertThat(two.told()).containsExactly("a", "half-close");
  }

  @Test
  void theOnlyMessageOfACallIsFlushedWithItsHalfClose() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.UNARY);
    Try only = first(TestChannel.UNARY);
    feeder.sendWhole("a", true);
    assertThat(only.stream.told).containsExactly("a", "half-close", "flush");
  }

  @Test
  void afterTheCallIsCommittedMessagesGoToItsAttemptAndAreNotKept() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try one = first(TestChannel.BIDI);
    Try two = another();
    assertThat(commit(two.attempt)).isTrue();
    assertThat(state.direct()).isEqualTo(two.attempt);
    feeder.sendMessage("x".repeat(ALL_BYTES + 1), false);
    feeder.sendHalfClose();
    assertThat(one.told()).isEmpty();
    assertThat(two.told()).containsExactly("x".repeat(ALL_BYTES + 1), "half-close");
    assertThat(call.farthest).isEmpty();
  }

  @Test
  void afterTheCallIsCommittedItsOnlyMessageAndHalfCloseGoToItsAttempt() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.UNARY);
    Try only = first(TestChannel.UNARY);
    assertThat(commit(only.attempt)).isTrue();
    assertThat(state.direct()).isEqualTo(only.attempt);
    feeder.sendWhole("a", true);
    assertThat(only.stream.told).containsExactly("a", "half-close", "flush");
  }

  @Test
  void ifTheRequestCannotBeKeptTheAttemptThatHasMostOfItIsChosen() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    first(TestChannel.BIDI);
    feeder.sendMessage("a", false);
    Try behind = another();
    fails(state.running().getFirst());
    Try ahead = another();
    feeder.sendRest(ahead.attempt);
    feeder.sendMessage("x".repeat(ALL_BYTES), false);
    assertThat(call.farthest).containsExactly(ahead.attempt);
    assertThat(ahead.told()).containsExactly("a", "x".repeat(ALL_BYTES));
    assertThat(behind.told()).isEmpty();
  }

  @Test
  void ifThatAttemptHasFailedMeanwhileAnotherOneIsChosen() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try failing = first(TestChannel.BIDI);
    Try other = another();
    call.beforeCommit =
        () -> {
          call.beforeCommit = () -> {};
          fails(failing.attempt);
        };
    feeder.sendMessage("x".repeat(ALL_BYTES), false);
    assertThat(call.farthest).containsExactly(failing.attempt, other.attempt);
    assertThat(call.commits).containsExactly(false, true);
    assertThat(other.told()).containsExactly("x".repeat(ALL_BYTES));
    assertThat(state.direct()).isEqualTo(other.attempt);
  }

  @Test
  void withoutAnAttemptARequestThatCannotBeKeptEndsTheCall() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    fails(first(TestChannel.BIDI).attempt);
    String large = "x".repeat(RequestBuffer.BEYOND_BYTES);
    feeder.sendMessage(large, false);
    assertThat(call.ends).isEmpty();
    assertThatThrownBy(() -> feeder.sendMessage(large, false))
        .hasMessageStartingWith("RESOURCE_EXHAUSTED");
    assertThat(call.ends).extracting(Status::code).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
    Try next = made(TestChannel.BIDI);
    assertThat(state.join(next.attempt, POLICY)).isEqualTo(CallAttempts.Joining.RUNS_LAST);
    feeder.sendRest(next.attempt);
    assertThat(next.told()).containsExactly(large);
  }

  @Test
  void whatIsSentMeanwhileFollowsOnTheSameThread() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try only = first(TestChannel.BIDI);
    only.stream.duringSend =
        () -> {
          isUnlocked();
          feeder.sendMessage("b", false);
          feeder.sendRest(only.attempt);
          assertThat(only.told()).isEmpty();
        };
    feeder.sendMessage("a", false);
    assertThat(only.told()).containsExactly("a", "b");
  }

  @Test
  void aMessageThatCannotBeSentEndsTheCall() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try only = first(TestChannel.BIDI);
    only.stream.thrownBySend = Optional.of(Status.DATA_LOSS.asException());
    assertThatThrownBy(() -> feeder.sendMessage("a", false)).hasMessage("DATA_LOSS");
    assertThat(call.ends).extracting(Status::code).containsExactly(Status.Code.DATA_LOSS);
    only.stream.thrownBySend = Optional.empty();
    feeder.sendMessage("b", false);
    assertThat(only.told()).isEmpty();
  }

  @Test
  void anUnexpectedExceptionIsAlsoThrown() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try only = first(TestChannel.BIDI);
    only.stream.thrownBySend = Optional.of(new IllegalStateException("unwritable"));
    assertThatThrownBy(() -> feeder.sendMessage("a", false)).hasMessage("unwritable");
    assertThat(call.ends).extracting(Status::code).containsExactly(Status.Code.INTERNAL);
  }

  @Test
  void nothingIsSentOnceTheCallHasEnded() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try only = first(TestChannel.BIDI);
    state.dropRequest();
    feeder.sendMessage("a", false);
    feeder.sendHalfClose();
    feeder.sendRest(only.attempt);
    assertThat(only.told()).isEmpty();
  }
}
