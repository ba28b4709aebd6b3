package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestChannel;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which attempt is sent which part of the request, when, and on which thread. */
@Timeout(30)
final class AttemptFeederTest {
  private static final int ALL_BYTES = 300;
  private static final AttemptPolicy POLICY = AttemptTimersTest.hedging();

  private final TestChannel test = new TestChannel();
  private final ReentrantLock lock = new ReentrantLock();
  private final CallAttempts<CountedAttempt<String, String>> attempts = new CallAttempts<>();
  private final RequestBuffer<String> request =
      new RequestBuffer<>(new ReplayLimits(ALL_BYTES, ALL_BYTES));
  private final Call call = new Call();

  /** What the call is told, which is never under the lock. */
  private final class Call implements AttemptFeeder.Listener<String, String> {
    final List<CountedAttempt<String, String>> farthest = new ArrayList<>();
    final List<Status> ends = new ArrayList<>();
    Runnable beforeCommit = () -> {};

    @Override
    public void onOverflow(CountedAttempt<String, String> attempt) {
      assertThat(lock.isLocked()).isFalse();
      farthest.add(attempt);
      beforeCommit.run();
      if (attempts.isUndecided(attempt)) {
        commit(attempt);
      }
    }

    @Override
    public void onUnsendable(Status why) {
      assertThat(lock.isLocked()).isFalse();
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
    return new AttemptFeeder<>(method, lock, attempts, request, call);
  }

  private Try made(MethodDescriptor<String, String> method) {
    Attempt<String, String> made =
        new Attempt<>(new PlainCall<>(test.callOwner(), method, CallOptions.DEFAULT));
    CallStart<String, String> start =
        new CallStart<>(
            method,
            "here",
            new Metadata(),
            Optional.empty(),
            new CallMessages(MessageEncoding.IDENTITY, 1, 1));
    FakeStream<String> stream = new FakeStream<>(start, made);
    made.connect(stream);
    return new Try(new CountedAttempt<>(made, start), stream);
  }

  private Try first(MethodDescriptor<String, String> method) {
    Try first = made(method);
    attempts.begin(first.attempt);
    return first;
  }

  private Try another() {
    Try next = made(TestChannel.BIDI);
    attempts.onTime(POLICY);
    attempts.join(next.attempt, POLICY);
    return next;
  }

  private void commit(CountedAttempt<String, String> attempt) {
    request.commit(attempt.reader());
    attempts.commit(attempt);
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
  void theSingleMessageOfACallWaitsForItsHalfClose() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.UNARY);
    Try only = first(TestChannel.UNARY);
    feeder.sendMessage("a", true);
    assertThat(only.stream.told).isEmpty();
    feeder.sendHalfClose();
    assertThat(only.stream.told).containsExactly("a", "half-close", "flush");
  }

  @Test
  void afterTheCallIsCommittedMessagesGoToItsAttemptAndAreNotKept() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try one = first(TestChannel.BIDI);
    Try two = another();
    commit(two.attempt);
    assertThat(request.state()).isEqualTo(RequestBuffer.State.DIRECT);
    feeder.sendMessage("x".repeat(ALL_BYTES + 1), false);
    feeder.sendHalfClose();
    assertThat(one.told()).isEmpty();
    assertThat(two.told()).containsExactly("x".repeat(ALL_BYTES + 1), "half-close");
    assertThat(call.farthest).isEmpty();
  }

  @Test
  void ifTheRequestCannotBeKeptTheAttemptThatHasMostOfItIsChosen() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    first(TestChannel.BIDI);
    feeder.sendMessage("a", false);
    Try behind = another();
    attempts.drop(attempts.running().getFirst());
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
    call.beforeCommit = () -> attempts.drop(failing.attempt);
    feeder.sendMessage("x".repeat(ALL_BYTES), false);
    assertThat(call.farthest).containsExactly(failing.attempt, other.attempt);
    assertThat(other.told()).containsExactly("x".repeat(ALL_BYTES));
    assertThat(request.state()).isEqualTo(RequestBuffer.State.DIRECT);
  }

  @Test
  void withoutAnAttemptARequestThatCannotBeKeptEndsTheCall() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    attempts.drop(first(TestChannel.BIDI).attempt);
    String large = "x".repeat(RequestBuffer.BEYOND_BYTES);
    feeder.sendMessage(large, false);
    assertThat(call.ends).isEmpty();
    feeder.sendMessage(large, false);
    assertThat(call.ends).extracting(Status::code).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
    Try next = made(TestChannel.BIDI);
    attempts.onTime(POLICY);
    assertThat(attempts.join(next.attempt, POLICY)).isEqualTo(CallAttempts.Joining.RUNS_LAST);
    feeder.sendRest(next.attempt);
    assertThat(next.told()).containsExactly(large);
  }

  @Test
  void whatIsSentMeanwhileFollowsOnTheSameThread() {
    AttemptFeeder<String, String> feeder = feeder(TestChannel.BIDI);
    Try only = first(TestChannel.BIDI);
    only.stream.duringSend =
        () -> {
          assertThat(lock.isLocked()).isFalse();
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
    feeder.sendMessage("a", false);
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
    request.drop();
    feeder.sendMessage("a", false);
    feeder.sendHalfClose();
    feeder.sendRest(only.attempt);
    assertThat(only.told()).isEmpty();
  }
}
