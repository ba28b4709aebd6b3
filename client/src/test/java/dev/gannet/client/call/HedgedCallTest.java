package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallFailure;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.FakePipes;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a call with a hedging policy makes of its attempts (gRFC A6). */
class HedgedCallTest {
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final HedgingPolicy POLICY =
      HedgingPolicy.of(3)
          .withHedgingDelay(DELAY)
          .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE));

  final TestChannel test = new TestChannel();

  private void connect(HedgingPolicy policy) {
    connect(policy, Optional.empty());
  }

  private void connect(HedgingPolicy policy, Optional<RetryThrottling> throttling) {
    ServiceConfig.Builder config =
        ServiceConfig.builder().forAllMethods(MethodConfig.builder().hedgingPolicy(policy).build());
    throttling.ifPresent(config::retryThrottling);
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config.build());
    test.connected();
  }

  private FakeStream<?> stream(int number) {
    return test.dial().transport.streams.get(first + number - 1);
  }

  /** Streams before those of the call. */
  private int first;

  private TestCall call() {
    first = test.dial().transport.streams.size();
    return test.call();
  }

  private int streams() {
    return test.dial().transport.streams.size() - first;
  }

  private static Metadata pushback(String value) {
    Metadata trailers = new Metadata();
    trailers.add(Pushback.KEY, value);
    return trailers;
  }

  @Test
  void afterEachDelayAnotherAttemptStarts() {
    connect(POLICY);
    call();
    assertThat(streams()).isOne();
    test.advance(Duration.ofMillis(99));
    assertThat(streams()).isOne();
    test.advance(Duration.ofMillis(1));
    assertThat(streams()).isEqualTo(2);
    test.advance(Duration.ofMillis(500));
    assertThat(streams()).isEqualTo(3);
    assertThat(stream(3).told).containsExactly("request", "half-close", "flush");
    assertThat(stream(3).start.headers().get(RetryingCallTest.PREVIOUS)).contains("2");
  }

  @Test
  void timeThatAttemptsWaitInParallelCountsOnce() {
    ServiceConfig config =
        ServiceConfig.builder()
            .forAllMethods(MethodConfig.builder().hedgingPolicy(POLICY).build())
            .build();
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config);
    TestCall call = test.call(test.within(Duration.ofSeconds(10)).withWaitForReady(true));
    test.advance(Duration.ofSeconds(10));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    CallFailure failure = call.status().failure().orElseThrow();
    assertThat(failure.inResolver().plus(failure.inQueue())).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void withoutADelayAllAttemptsStartAtOnce() {
    connect(HedgingPolicy.of(9));
    call();
    test.advance(Duration.ZERO);
    assertThat(streams()).isEqualTo(5); // the channel's most
  }

  @Test
  void theFirstAttemptThatIsAnsweredIsUsedAndTheOthersAreCancelled() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    test.advance(DELAY);
    stream(2).answersHeaders();
    assertThat(stream(1).cancellations).hasSize(1);
    assertThat(stream(3).cancellations).hasSize(1);
    assertThat(stream(2).cancellations).isEmpty();
    assertThat(stream(2).requests).isPositive();
    stream(1).answers("late");
    stream(2).answers("response");
    stream(2).endsWith(Status.OK);
    assertThat(call.heard).containsExactly("headers", "response", "end");
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(3);
  }

  @Test
  void afterANonFatalFailureTheNextAttemptStartsAtOnce() {
    connect(POLICY);
    TestCall call = call();
    stream(1).endsWith(Status.UNAVAILABLE);
    assertThat(streams()).isEqualTo(2);
    test.advance(Duration.ofMillis(99));
    assertThat(streams()).isEqualTo(2);
    test.advance(Duration.ofMillis(1));
    assertThat(streams()).isEqualTo(3);
    stream(2).endsWith(Status.UNAVAILABLE);
    assertThat(call.isOver()).isFalse();
    stream(3).endsWith(Status.UNAVAILABLE.withDescription("third"));
    assertThat(call.text()).isEqualTo("third");
  }

  @Test
  void aFatalFailureEndsTheCall() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    stream(1).endsWith(Status.INTERNAL);
    assertThat(call.status()).isEqualTo(Status.INTERNAL);
    assertThat(stream(2).cancellations).hasSize(1);
  }

  @Test
  void aPushbackDelaysTheNextAttempt() {
    connect(POLICY);
    call();
    stream(1).endsWith(Status.UNAVAILABLE, pushback("300"));
    test.advance(Duration.ofMillis(299));
    assertThat(streams()).isOne();
    test.advance(Duration.ofMillis(1));
    assertThat(streams()).isEqualTo(2);
    test.advance(DELAY);
    assertThat(streams()).isEqualTo(3);
  }

  @Test
  void aNegativePushbackStopsNewAttemptsButNotRunningOnes() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    stream(1).endsWith(Status.UNAVAILABLE, pushback("-1"));
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(2);
    assertThat(call.isOver()).isFalse();
    stream(2).answers("response");
    stream(2).endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void afterANegativePushbackTheFailureOfAnotherAttemptStartsNoneEither() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    stream(1).endsWith(Status.UNAVAILABLE, pushback("-1"));
    stream(2).endsWith(Status.UNAVAILABLE);
    assertThat(streams()).isEqualTo(2);
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aThrottledChannelBeginsNoMoreHedges() {
    connect(POLICY, Optional.of(RetryThrottling.of(2, 0.5)));
    TestCall call = call();
    stream(1).endsWith(Status.UNAVAILABLE); // 1 of 2 is left
    assertThat(call.isOver()).isTrue();
    TestCall next = call();
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isOne();
    stream(1).answers("response");
    stream(1).endsWith(Status.OK);
    assertThat(next.status().isOk()).isTrue();
    call();
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(3);
  }

  @Test
  void aHedgeDelayedByPushbackIsThrottledToo() {
    connect(POLICY, Optional.of(RetryThrottling.of(4, 0.5)));
    TestCall call = call();
    stream(1).endsWith(Status.UNAVAILABLE, pushback("300")); // 3 of 4
    FakeStream<?> other = otherFailing();
    test.advance(Duration.ofMillis(300));
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(other.cancellations).isEmpty();
  }

  /** Another call whose failure leaves too few tokens. */
  private FakeStream<?> otherFailing() {
    call();
    FakeStream<?> made = stream(1);
    made.endsWith(Status.UNAVAILABLE, pushback("-1"));
    return made;
  }

  @Test
  void messagesGoToAllAttemptsUntilOneIsAnswered() {
    connect(POLICY);
    first = test.dial().transport.streams.size();
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    test.advance(DELAY);
    call.call.sendMessage("two");
    assertThat(stream(1).told).containsExactly("flush", "one", "flush", "two", "flush");
    assertThat(stream(2).told).containsExactlyElementsOf(stream(1).told);
    stream(2).answersHeaders();
    call.call.sendMessage("three");
    assertThat(stream(2).told).contains("three");
    assertThat(stream(1).told).doesNotContain("three");
    assertThat(call.call.isReady()).isFalse();
    stream(2).ready = true;
    assertThat(call.call.isReady()).isTrue();
  }

  @Test
  void aRequestOverTheLimitStaysWithTheAttemptThatHasSentMost() {
    test.serviceConfigs =
        test.serviceConfigs.with(
            RetrySettings.DEFAULT.withCallBytes(2L * RequestBuffer.ENTRY_BYTES + 5));
    connect(POLICY);
    first = test.dial().transport.streams.size();
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    test.advance(DELAY);
    call.call.sendMessage("two");
    assertThat(stream(2).cancellations).hasSize(1);
    assertThat(stream(1).told).contains("two");
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(2);
  }

  @Test
  void anAttemptThatLosesWhileItsRequestIsSentGetsNoFurtherMessages() {
    connect(POLICY);
    first = test.dial().transport.streams.size();
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.sendMessage("two");
    test.dial().transport.duringSendOfNext = () -> stream(1).answersHeaders();
    test.advance(DELAY);
    assertThat(call.heard).contains("headers");
    assertThat(stream(2).told).doesNotContain("two");
    assertThat(stream(2).cancellations).hasSize(1);
    call.call.sendMessage("three");
    assertThat(stream(1).told).contains("one", "two", "three");
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(2);
  }

  @Test
  void aFailureWhileAnotherAttemptIsSentDoesNotEndTheCall() {
    connect(POLICY);
    TestCall call = call();
    test.dial().transport.duringSendOfNext = () -> stream(1).endsWith(Status.UNAVAILABLE);
    test.advance(DELAY);
    assertThat(streams()).isEqualTo(3); // the failure brings the third at once
    assertThat(call.isOver()).isFalse();
    stream(2).endsWith(Status.UNAVAILABLE);
    stream(3).answersHeaders();
    stream(3).answers("response");
    stream(3).endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void cancellationAndDeadlineEndAllAttempts() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    call.call.cancel("enough");
    assertThat(call.text()).isEqualTo("enough");
    assertThat(stream(1).cancellations).hasSize(1);
    assertThat(stream(2).cancellations).hasSize(1);
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isEqualTo(2);
  }

  @Test
  void anAttemptThatHasLostIsNotMoved() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    FakeStream<?> loser = stream(1);
    stream(2).answersHeaders();
    assertThat(loser.isNotProcessed(NotProcessed.NOT_SENT)).isFalse();
    assertThat(call.isOver()).isFalse();
  }

  @Test
  void aHedgeThatHasMovedIsCancelledOnItsNewStream() {
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    assertThat(stream(1).isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    assertThat(streams()).isEqualTo(3);
    stream(2).answersHeaders();
    assertThat(stream(3).cancellations).hasSize(1);
    stream(1).cancel(Status.CANCELLED); // as a loop that hears of it late
    assertThat(call.isOver()).isFalse();
    stream(2).answers("response");
    stream(2).endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void ifTheTimerIsRefusedThereIsOnlyOneAttempt() {
    connect(POLICY);
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    TestCall call = call();
    test.pipes.refused.clear();
    test.advance(Duration.ofSeconds(1));
    assertThat(streams()).isOne();
    stream(1).answers("response");
    stream(1).endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void aCallIsRepeatedOnceAfterARefusalWhicheverAttemptIsRefused() {
    connect(POLICY.withMaxAttempts(5));
    TestCall call = call();
    test.advance(DELAY);
    test.advance(DELAY);
    assertThat(stream(1).isNotProcessed(NotProcessed.REFUSED)).isTrue(); // stream 4 replaces it
    assertThat(stream(2).isNotProcessed(NotProcessed.REFUSED)).isFalse(); // stream 5: a hedge
    assertThat(stream(5).start.headers().get(RetryingCallTest.PREVIOUS)).contains("3");
    assertThat(stream(3).isNotProcessed(NotProcessed.REFUSED)).isFalse(); // stream 6
    assertThat(stream(4).isNotProcessed(NotProcessed.REFUSED)).isFalse();
    assertThat(stream(5).isNotProcessed(NotProcessed.REFUSED)).isFalse();
    assertThat(stream(6).isNotProcessed(NotProcessed.REFUSED)).isFalse();
    assertThat(streams()).isEqualTo(6);
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  /** Does something while the first hedge is about to begin. */
  private ClientCallTracer.Factory whenAHedgeBegins(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return start ->
        new HedgeTracer(() -> {
          if (done.compareAndSet(false, true)) {
            action.run();
          }
        });
  }

  private record HedgeTracer(Runnable atHedge) implements ClientCallTracer {
    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      if (attempt.previousAttempts() > 0) {
        atHedge.run();
      }
      return ClientStreamTracer.none();
    }
  }

  @Test
  void aPushbackThatArrivesWhileAHedgeBeginsDelaysTheNextOne() {
    test.tracers =
        List.of(whenAHedgeBegins(() -> stream(1).endsWith(Status.UNAVAILABLE, pushback("60000"))));
    connect(POLICY);
    TestCall call = call();
    test.advance(DELAY);
    assertThat(streams()).isEqualTo(2);
    test.advance(Duration.ofMillis(59_999));
    assertThat(streams()).isEqualTo(2);
    test.advance(Duration.ofMillis(1));
    assertThat(streams()).isEqualTo(3);
    assertThat(call.isOver()).isFalse();
  }

  @Test
  void afterThatTheDelayAppliesAgain() {
    test.tracers =
        List.of(whenAHedgeBegins(() -> stream(1).endsWith(Status.UNAVAILABLE, pushback("60000"))));
    connect(POLICY.withMaxAttempts(4));
    call();
    test.advance(DELAY);
    test.advance(Duration.ofMinutes(1));
    assertThat(streams()).isEqualTo(3);
    test.advance(DELAY.minusMillis(1));
    assertThat(streams()).isEqualTo(3);
    test.advance(Duration.ofMillis(1));
    assertThat(streams()).isEqualTo(4);
  }
}
