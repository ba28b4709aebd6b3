package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.FakePipes;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.BackOff;
import dev.gannet.client.retry.CallAttempts.Verdict;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the timers of a call with several attempts are set, and which of them have an effect. */
final class AttemptTimersTest {
  private static final Duration DELAY = Duration.ofMillis(100);

  private final FakePipes pipes = new FakePipes();
  private final CallAttempts<CountedAttempt<String, String>> attempts = new CallAttempts<>();
  private final Call call = new Call();
  private final AttemptTimers<String, String> timers =
      new AttemptTimers<>(attempts, pipes::nanoTime, call);
  private final CountedAttempt<String, String> first = attempt();

  /** What the call is told. */
  private static final class Call implements AttemptTimers.Listener<String, String> {
    final List<AttemptTimer> fired = new ArrayList<>();
    final List<CountedAttempt<String, String>> late = new ArrayList<>();

    @Override
    public void onNextAttempt(AttemptTimer timer) {
      fired.add(timer);
    }

    @Override
    public void onReceiveTimeout(CountedAttempt<String, String> attempt) {
      late.add(attempt);
    }
  }

  /** After {@link #DELAY}, or as soon as one is UNAVAILABLE, another attempt begins. */
  static AttemptPolicy hedging() {
    return policy(
        MethodConfig.builder()
            .hedgingPolicy(
                HedgingPolicy.of(3)
                    .withHedgingDelay(DELAY)
                    .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE))));
  }

  private static AttemptPolicy receivingWithinDelay() {
    return policy(
        MethodConfig.builder()
            .retryPolicy(RetryingCallTest.policy(3).withPerAttemptReceiveTimeout(DELAY)));
  }

  private static AttemptPolicy policy(MethodConfig.Builder method) {
    ServiceConfig config = ServiceConfig.builder().forAllMethods(method.build()).build();
    return new ActiveConfig(config, RetrySettings.DEFAULT, Optional.empty())
        .of(TestChannel.UNARY)
        .attempts()
        .orElseThrow();
  }

  private static CountedAttempt<String, String> attempt() {
    TestChannel test = new TestChannel();
    return new CountedAttempt<>(
        new Attempt<>(
            new PlainCall<>(
                test.callOwner(), TestChannel.UNARY, CallOptions.DEFAULT, TestChannel.NO_POLICY)),
        new CallStart<>(
            TestChannel.UNARY,
            Optional.of("here"),
            new Metadata(),
            Optional.empty(),
            new CallMessages(MessageEncoding.IDENTITY, 1, 1)));
  }

  private void begin(AttemptPolicy policy) {
    attempts.begin(first);
    timers.onBegun(first, policy).forEach(it -> it.set(pipes));
  }

  /** Returns whether there is a timer for the next attempt. */
  private boolean follow(CallAttempts.Decision decision) {
    Optional<AttemptTimer> made = timers.follow(decision);
    made.ifPresent(it -> it.set(pipes));
    return made.isPresent();
  }

  private boolean take(int fired) {
    return timers.take(call.fired.get(fired));
  }

  private void passDelay() {
    pipes.loop.advance(DELAY);
  }

  @Test
  void aHedgingCallIsToldWhenItsNextAttemptIsDue() {
    begin(hedging());
    passDelay();
    assertThat(call.fired).hasSize(1);
    assertThat(take(0)).isTrue();
    assertThat(take(0)).isFalse();
    assertThat(call.late).isEmpty();
  }

  @Test
  void anAttemptWhoseResponseDoesNotBeginIsLate() {
    begin(receivingWithinDelay());
    passDelay();
    assertThat(call.late).containsExactly(first);
    assertThat(call.fired).isEmpty();
  }

  @Test
  void noTimerIsSetForACallThatIsCommitted() {
    attempts.begin(first);
    attempts.commit(first);
    assertThat(timers.onBegun(first, hedging())).isEmpty();
  }

  @Test
  void aBackOffReplacesTheTimerAndOtherDecisionsStopIt() {
    begin(hedging());
    assertThat(follow(new BackOff(DELAY.toNanos() * 2))).isTrue();
    passDelay();
    assertThat(call.fired).isEmpty();
    passDelay();
    assertThat(call.fired).hasSize(1);
    assertThat(follow(Verdict.CONTINUE)).isFalse();
    assertThat(take(0)).isFalse(); // it fired before it could be cancelled
    assertThat(pipes.loop.pendingTasks()).isZero();
  }

  @Test
  void aTimerThatIsCancelledBeforeItIsSetDoesNotFire() {
    attempts.begin(first);
    List<AttemptTimer> made = timers.onBegun(first, hedging());
    timers.stopNext();
    made.forEach(it -> it.set(pipes));
    assertThat(pipes.loop.pendingTasks()).isZero();
  }

  @Test
  void aTimerThatIsCancelledWhileItIsSetDoesNotFire() {
    AttemptTimer timer = new AttemptTimer(1, call::onNextAttempt);
    pipes.atTimer = timer::cancel;
    timer.set(pipes);
    assertThat(pipes.loop.pendingTasks()).isZero();
  }
}
