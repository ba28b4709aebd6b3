package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time passes where the test says so, and nowhere else; and nobody waits for it in vain. */
@Timeout(60)
final class VirtualClockTest {
  private final VirtualClock clock = VirtualClock.create();
  private final Testbed testbed = Testbed.inProcess(clock);
  private final FakeServer fake = testbed.fake(Words.echo());
  private final ManagedChannel channel = testbed.channelTo(fake.address());

  @AfterEach
  void close() {
    testbed.close();
  }

  private CompletableFuture<String> say(CallOptions options) {
    return AsyncCalls.unary(channel, Words.SAY, options, "hello");
  }

  /** One whose callers are ended as soon as the clock has stood for a fifth of a second. */
  private ManagedChannel impatientChannel() {
    return testbed.patience(Duration.ofMillis(200)).channelTo(fake.address());
  }

  @Test
  void aDelayedReplyArrivesWhenTheClockReachesItsTime() {
    fake.on(Words.SAY, Reply.of("late").after(Duration.ofHours(1)));
    CompletableFuture<String> answer = say(CallOptions.DEFAULT);
    clock.advance(Duration.ofMinutes(59));
    assertThat(answer).isNotDone();
    clock.advance(Duration.ofMinutes(1));
    assertThat(answer).isCompletedWithValue("late");
  }

  @Test
  void aDeadlinePassesToTheNanosecond() {
    fake.on(Words.SAY, Reply.none());
    CompletableFuture<String> answer = say(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)));
    clock.advance(Duration.ofSeconds(5).minusNanos(1));
    assertThat(answer).isNotDone();
    clock.advance(Duration.ofNanos(1));
    assertThat(answer).isCompletedExceptionally();
    assertThat(Status.fromThrowable(answer.exceptionNow()).code())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(fake.calls(Words.SAY).getFirst().isCancelled()).isTrue();
  }

  /** The ticks of the two clocks have nothing in common: here the virtual ones are far larger. */
  @Test
  void theEarlierDeadlineAppliesEvenIfTheOtherOneIsOnTheClockOfTheSystem() {
    clock.advance(Duration.ofDays(30_000));
    fake.on(Words.SAY, Reply.none());
    CompletableFuture<String> answer =
        say(
            CallOptions.DEFAULT
                .withDeadline(Deadline.after(Duration.ofHours(1)))
                .withDeadline(Duration.ofSeconds(5)));
    clock.advance(Duration.ofSeconds(5));
    assertThat(answer).isCompletedExceptionally();
    assertThat(Status.fromThrowable(answer.exceptionNow()).code())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aBackoffEndsWhenTheClockReachesItsTime() {
    fake.stop();
    CompletableFuture<String> answer = say(CallOptions.DEFAULT.withWaitForReady(true));
    fake.start();
    assertThat(answer).isNotDone();
    clock.advance(Duration.ofSeconds(2));
    assertThat(answer).isCompletedWithValue("hello");
  }

  @Test
  void blockingCallersAndHandlersRunWithoutMovingTheClock() {
    assertThat(BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, "hello"))
        .isEqualTo("hello");
    try (var call = BlockingCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT)) {
      call.send("a");
      assertThat(call.next()).isEqualTo("a");
      call.halfClose();
      assertThat(call.hasNext()).isFalse();
    }
  }

  /** It would hang: the thread that waits is the one that would have to move the clock. */
  @Test
  void aBlockingCallThatOnlyTimeCouldEndIsEndedWithTheReason() {
    fake.on(Words.SAY, Reply.of("late").after(Duration.ofSeconds(1)));
    ManagedChannel impatient = impatientChannel();
    assertThatThrownBy(
            () -> BlockingCalls.unary(impatient, Words.SAY, CallOptions.DEFAULT, "hello"))
        .hasMessageStartingWith("CANCELLED: the virtual clock was not moved from PT0S for PT0.2S")
        .hasMessageContaining("asynchronous client or on another thread");
  }

  @Test
  void aBlockingCallOnAnotherThreadEndsWhenItsTimeHasCome() throws InterruptedException {
    fake.on(Words.SAY, Reply.of("late").after(Duration.ofSeconds(1)));
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
            () -> BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, "hello"));
    fake.awaitDelayedReplies(1, Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(1));
    assertThat(answer.join()).isEqualTo("late");
  }

  /** On a machine with two processors the common pool has one thread. */
  @Test
  void callersThatFillTheCommonPoolAreEndedToo() {
    fake.on(Words.SAY, Reply.none());
    ManagedChannel impatient = impatientChannel();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> BlockingCalls.unary(impatient, Words.SAY, CallOptions.DEFAULT, "hello")));
    }
    assertThat(answers)
        .allSatisfy(it -> assertThatThrownBy(it::join).hasMessageContaining("was not moved"));
  }

  @Test
  void aTimerOfForeverNeverExpires() {
    AtomicBoolean expired = new AtomicBoolean();
    clock.advance(Duration.ofSeconds(1));
    Object unused = clock.scheduler().schedule(() -> expired.set(true), Long.MAX_VALUE);
    clock.advance(Duration.ofDays(365));
    assertThat(expired).isFalse();
  }

  @Test
  void timeDoesNotGoBack() {
    assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(clock.elapsed()).isZero();
  }

  @Test
  void tasksOfTheClockCannotMoveTheClock() {
    clock
        .scheduler()
        .schedule(
            () ->
                assertThatThrownBy(() -> clock.advance(Duration.ZERO))
                    .hasMessageContaining("being moved already"),
            1);
    assertThat(clock.untilNextTimer()).hasValue(Duration.ofNanos(1));
    clock.advance(Duration.ofNanos(1));
    assertThat(clock.pendingTimers()).isZero();
  }

  @Test
  void aRecorderOfACallGetsAllOfIt() throws InterruptedException {
    CallRecorder<String> recorder = new CallRecorder<>();
    var call = channel.newCall(Words.SAY, CallOptions.DEFAULT);
    call.start(recorder);
    call.request(2);
    call.sendMessage("hello");
    call.halfClose();
    Duration bound = Duration.ofSeconds(10);
    assertThat(recorder.next(bound)).isEqualTo("hello");
    assertThat(recorder.awaitStatus(bound)).isEqualTo(Status.OK);
    assertThat(recorder.trailers()).isPresent();
    assertThatThrownBy(() -> recorder.next(bound)).hasMessageContaining("has ended after 1");
  }
}
