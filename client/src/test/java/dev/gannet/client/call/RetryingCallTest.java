package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.FakePipes;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.NotProcessed;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call with a retry policy makes of its attempts (gRFC A6). */
public class RetryingCallTest {
  static final Metadata.Key<String> PREVIOUS = Metadata.Key.ascii("grpc-previous-rpc-attempts");

  /** Longer than any wait of these tests, and shorter than twice that. */
  private static final Duration LONG = Duration.ofMillis(1200);

  final TestChannel test = new TestChannel();

  /** Waits of 1 s before each retry, a fifth more or less. */
  public static RetryPolicy policy(int maxAttempts) {
    return RetryPolicy.of(maxAttempts, Status.Code.UNAVAILABLE, Status.Code.ABORTED)
        .withInitialBackoff(Duration.ofSeconds(1))
        .withMaxBackoff(Duration.ofSeconds(1))
        .withBackoffMultiplier(2);
  }

  private void connect(RetryPolicy policy) {
    connect(MethodConfig.builder().retryPolicy(policy).build(), Optional.empty());
  }

  private void connect(MethodConfig config, Optional<RetryThrottling> throttling) {
    ServiceConfig.Builder made = ServiceConfig.builder().forAllMethods(config);
    throttling.ifPresent(made::retryThrottling);
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(made.build());
    test.connected();
  }

  private List<FakeStream<?>> streams() {
    return test.dial().transport.streams.subList(1, test.dial().transport.streams.size());
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  private static Metadata pushback(String value) {
    Metadata trailers = new Metadata();
    trailers.add(Pushback.KEY, value);
    return trailers;
  }

  @Test
  void aCallThatFailsIsTriedAgainAfterABackoff() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.heard).isEmpty();
    test.advance(Duration.ofMillis(799));
    assertThat(streams()).hasSize(1);
    test.advance(Duration.ofMillis(401));
    assertThat(streams()).hasSize(2);
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
    stream().answersHeaders();
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(call.heard).containsExactly("headers", "response", "end");
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void eachAttemptSendsTheNumberOfPreviousAttempts() {
    connect(policy(3));
    test.call();
    for (int i = 0; i < 2; i++) {
      stream().endsWith(Status.UNAVAILABLE);
      test.advance(LONG);
    }
    assertThat(streams().stream().map(it -> it.start.headers().get(PREVIOUS)))
        .containsExactly(Optional.empty(), Optional.of("1"), Optional.of("2"));
  }

  @Test
  void theFailureOfTheCallNamesEachAttempt() {
    connect(policy(3));
    TestCall call = test.call();
    for (int i = 1; i <= 3; i++) {
      stream().endsWith(Status.UNAVAILABLE.withDescription("busy " + i));
      test.advance(LONG);
    }
    assertThat(call.status().failure().orElseThrow().attempts())
        .extracting(it -> it.status().description().orElse(""))
        .containsExactly("busy 1", "busy 2", "busy 3");
    assertThat(call.status().asException())
        .hasMessageContaining("attempt 2")
        .hasMessageContaining("busy 2");
  }

  @Test
  void attemptsThatFailInTheSameWayAreAllNamed() {
    connect(policy(3));
    TestCall call = test.call();
    for (int i = 0; i < 3; i++) {
      stream().endsWith(Status.UNAVAILABLE.withDescription("busy"));
      test.advance(LONG);
    }
    assertThat(call.status().failure().orElseThrow().attempts()).hasSize(3);
  }

  @Test
  void aDeadlineInABackoffIsNotAnAttempt() {
    connect(policy(3));
    TestCall call = test.call(test.within(Duration.ofMillis(1)));
    stream().endsWith(Status.UNAVAILABLE.withDescription("busy"));
    test.advance(Duration.ofMillis(1));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.status().failure().orElseThrow().attempts())
        .extracting(it -> it.status().description().orElse(""))
        .containsExactly("busy");
  }

  @Test
  void eachAttemptAsksTheCallCredentialsAgain() {
    Metadata.Key<String> token = Metadata.Key.ascii("token");
    AtomicInteger tokens = new AtomicInteger();
    CallCredentials counting =
        request -> {
          Metadata headers = new Metadata();
          headers.add(token, Integer.toString(tokens.incrementAndGet()));
          return CompletableFuture.completedStage(headers);
        };
    connect(policy(3));
    test.call(CallOptions.DEFAULT.withCallCredentials(counting));
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    assertThat(streams().stream().map(it -> it.start.headers().get(token)))
        .containsExactly(Optional.of("1"), Optional.of("2"));
    assertThat(stream().start.headers().get(PREVIOUS)).contains("1");
  }

  @Test
  void aRetryableFailureOfCredentialsCostsAnAttempt() {
    CompletableFuture<Metadata> failed =
        CompletableFuture.failedFuture(Status.UNAVAILABLE.asException());
    Queue<CompletableFuture<Metadata>> answers =
        new ArrayDeque<>(List.of(failed, CompletableFuture.completedFuture(new Metadata())));
    connect(policy(3));
    TestCall call = test.call(CallOptions.DEFAULT.withCallCredentials(it -> answers.remove()));
    assertThat(streams()).isEmpty();
    test.advance(LONG);
    assertThat(streams()).hasSize(1);
    assertThat(call.isOver()).isFalse();
  }

  @Test
  void theLastFailureBecomesTheStatusOfTheCall() {
    connect(policy(2));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    stream().endsWith(Status.ABORTED.withDescription("last"), pushback("7"));
    assertThat(call.text()).isEqualTo("last");
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
  }

  @Test
  void aPolicyAllowsNoMoreAttemptsThanTheChannel() {
    test.serviceConfigs = test.serviceConfigs.with(RetrySettings.DEFAULT.withMaxAttempts(2));
    connect(policy(9));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aChannelWithoutRetriesHasNone() {
    test.serviceConfigs =
        test.serviceConfigs.with(RetrySettings.DEFAULT.with(RetrySettings.Mode.DISABLED));
    connect(policy(9));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aFailureThatIsNotRetryableEndsTheCall() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.INTERNAL, pushback("10"));
    assertThat(call.status()).isEqualTo(Status.INTERNAL);
  }

  @Test
  void aCallIsCommittedByHeaders() {
    connect(policy(3));
    TestCall call = test.call();
    stream().answersHeaders();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.heard).containsExactly("headers", "end");
  }

  @ParameterizedTest
  @CsvSource({"250, 250", "0, 0", "5000, 5000"})
  void aPushbackReplacesTheBackoff(String said, long millis) {
    connect(policy(3));
    test.call();
    stream().endsWith(Status.UNAVAILABLE, pushback(said));
    if (millis > 0) {
      test.advance(Duration.ofMillis(millis - 1));
      assertThat(streams()).hasSize(1);
      test.advance(Duration.ofMillis(1));
    }
    assertThat(streams()).hasSize(2);
  }

  @Test
  void aPushbackResetsTheBackoff() {
    connect(policy(5));
    test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    stream().endsWith(Status.UNAVAILABLE, pushback("5"));
    test.advance(Duration.ofMillis(5));
    assertThat(streams()).hasSize(4);
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(Duration.ofMillis(799));
    assertThat(streams()).hasSize(4);
    test.advance(Duration.ofMillis(401));
    assertThat(streams()).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "soon", "", "4294967296", "1.5"})
  void aNegativeOrInvalidPushbackForbidsARetry(String said) {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE, pushback(said));
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void tooManyFailuresStopTheRetriesOfAChannel() {
    MethodConfig config = MethodConfig.builder().retryPolicy(policy(5)).build();
    connect(config, Optional.of(RetryThrottling.of(4, 1)));
    TestCall first = test.call();
    stream().endsWith(Status.UNAVAILABLE); // 3 of 4 are left
    assertThat(first.isOver()).isFalse();
    test.advance(LONG);
    stream().endsWith(Status.UNAVAILABLE); // 2 of 4
    assertThat(first.isOver()).isTrue();
    for (int i = 0; i < 2; i++) {
      test.call();
      stream().answers("response");
      stream().endsWith(Status.OK);
    }
    TestCall next = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(next.isOver()).isFalse();
  }

  @Test
  void aCancellationAfterTheEndOfACallTakesNoToken() {
    RetryPolicy policy =
        policy(5).withRetryableStatusCodes(Status.Code.UNAVAILABLE, Status.Code.CANCELLED);
    MethodConfig config = MethodConfig.builder().retryPolicy(policy).build();
    connect(config, Optional.of(RetryThrottling.of(4, 1)));
    TestCall done = test.call();
    stream().answers("response");
    stream().endsWith(Status.OK);
    done.call.cancel("in a finally block");
    assertThat(done.status()).isEqualTo(Status.OK);
    TestCall next = test.call();
    stream().endsWith(Status.UNAVAILABLE); // 3 of 4 are left
    assertThat(next.isOver()).isFalse();
  }

  @Test
  void aStreamIsReplayedToTheNextAttemptInItsOrder() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.setMessageCompression(false);
    call.call.sendMessage("two");
    stream().endsWith(Status.UNAVAILABLE);
    call.call.sendMessage("three");
    assertThat(call.call.isReady()).isFalse();
    test.advance(LONG);
    call.call.halfClose();
    assertThat(stream().told)
        .containsExactly(
            "flush",
            "one",
            "flush",
            "two (not compressed)",
            "flush",
            "three (not compressed)",
            "flush",
            "half-close",
            "flush");
    stream().becomesReady();
    assertThat(call.call.isReady()).isTrue();
    stream().answersHeaders();
    assertThat(call.call.isReady()).isTrue();
    assertThat(call.heard).containsExactly("ready", "ready", "ready", "headers");
  }

  @Test
  void messagesAfterTheResponseHasBegunAreSentDirectly() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    stream().answersHeaders();
    call.call.sendMessage("two");
    call.call.halfClose();
    assertThat(stream().told)
        .containsExactly("flush", "one", "flush", "two", "flush", "half-close", "flush");
  }

  @Test
  void aRequestOverTheLimitOfACallIsNotTriedAgain() {
    test.serviceConfigs =
        test.serviceConfigs.with(
            RetrySettings.DEFAULT.withCallBytes(2L * RequestBuffer.ENTRY_BYTES + 6));
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.sendMessage("two");
    call.call.sendMessage("more");
    assertThat(stream().told).contains("one", "two", "more");
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aRequestThatExceedsTheLimitDuringABackoffGetsOneMoreAttempt() {
    test.serviceConfigs =
        test.serviceConfigs.with(
            RetrySettings.DEFAULT.withCallBytes(2L * RequestBuffer.ENTRY_BYTES + 6));
    connect(policy(4));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    stream().endsWith(Status.UNAVAILABLE);
    call.call.sendMessage("too long");
    test.advance(LONG);
    assertThat(stream().told).containsExactly("flush", "one", "flush", "too long", "flush");
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void whoSendsOnWhileTheBufferIsFullAndNoAttemptRunsEndsTheCall() {
    test.serviceConfigs =
        test.serviceConfigs.with(RetrySettings.DEFAULT.withCallBytes(RequestBuffer.ENTRY_BYTES));
    connect(policy(4));
    TestCall call = test.start(TestChannel.BIDI);
    stream().endsWith(Status.UNAVAILABLE);
    String message = "x".repeat(1024);
    int sent = 0;
    while (!call.isOver() && sent < 1000) {
      assertThat(call.call.isReady()).isFalse();
      Throwable thrown = catchThrowable(() -> call.call.sendMessage(message));
      assertThat(thrown != null).isEqualTo(call.isOver());
      sent++;
    }
    assertThat(sent).isEqualTo(RequestBuffer.BEYOND_BYTES / (1024 + RequestBuffer.ENTRY_BYTES) + 1);
    assertThat(call.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.text())
        .contains("retryBufferBytesPerCall", "before its next attempt began", "is ready");
    test.advance(LONG);
    assertThat(streams()).hasSize(1);
  }

  @Test
  void whoWaitsToBeReadyMaySendAnyRequestDespiteBackoffs() {
    test.serviceConfigs =
        test.serviceConfigs.with(RetrySettings.DEFAULT.withCallBytes(RequestBuffer.ENTRY_BYTES));
    connect(policy(4));
    TestCall call = test.start(TestChannel.BIDI);
    stream().endsWith(Status.UNAVAILABLE);
    String large = "x".repeat(2 * RequestBuffer.BEYOND_BYTES);
    call.call.sendMessage(large); // it was ready a moment ago
    assertThat(call.call.isReady()).isFalse();
    test.advance(LONG);
    stream().becomesReady();
    assertThat(call.call.isReady()).isTrue();
    call.call.sendMessage(large);
    call.call.sendMessage(large);
    call.call.halfClose();
    assertThat(stream().told).filteredOn(large::equals).hasSize(3);
    assertThat(stream().told).endsWith("half-close", "flush");
    assertThat(call.isOver()).isFalse();
  }

  /** More than a channel lets a call keep without counting it; two are more than twice that. */
  private static final String LARGE = "x".repeat(2_000);

  private TestCall callWithLarge() {
    return test.start(TestChannel.UNARY).asks(LARGE);
  }

  @Test
  void theCallsOfAChannelShareOneLimitAndReleaseIt() {
    test.serviceConfigs =
        test.serviceConfigs.with(RetrySettings.DEFAULT.withChannelBytes(LARGE.length()));
    connect(policy(3));
    TestCall first = callWithLarge();
    FakeStream<?> ofFirst = stream();
    TestCall second = callWithLarge();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(second.isOver()).isTrue();
    ofFirst.answers("response");
    ofFirst.endsWith(Status.OK);
    assertThat(first.status().isOk()).isTrue();
    TestCall third = callWithLarge();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(third.isOver()).isFalse();
    third.call.cancel("enough");
    TestCall fourth = callWithLarge();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(fourth.isOver()).isFalse();
  }

  @Test
  void messagesAfterTheEndOfACallDoNotCountTowardsTheLimit() {
    test.serviceConfigs =
        test.serviceConfigs.with(RetrySettings.DEFAULT.withChannelBytes(LARGE.length()));
    connect(policy(3));
    TestCall ended = test.start(TestChannel.BIDI);
    stream().endsWith(Status.UNAVAILABLE);
    ended.call.cancel("enough");
    ended.call.sendMessage(LARGE);
    TestCall next = callWithLarge();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(next.isOver()).isFalse();
  }

  @Test
  void cancellationEndsABackoffAtOnce() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    call.call.cancel("enough");
    assertThat(call.text()).isEqualTo("enough");
    test.advance(LONG);
    assertThat(streams()).hasSize(1);
  }

  @Test
  void cancellationEndsABackoffAlsoIfTheLoopOfTheLastAttemptHasEnded() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    stream().thrownByCancel = Optional.of(new RejectedExecutionException("terminated"));
    call.call.cancel("enough");
    assertThat(call.text()).isEqualTo("enough");
  }

  @Test
  void cancellationEndsTheAttemptThatIsUnderWay() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    call.call.cancel("enough");
    assertThat(stream().cancellations).hasSize(1);
    assertThat(call.status().code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void cancellationEndsAFirstAttemptThatIsBeingAnswered() {
    connect(policy(3));
    TestCall call = test.call();
    stream().answersHeaders();
    call.call.cancel("enough");
    assertThat(stream().cancellations).hasSize(1);
    assertThat(call.status().code()).isEqualTo(Status.Code.CANCELLED);
    test.advance(LONG);
    assertThat(streams()).hasSize(1);
  }

  @Test
  void aServerMayAnswerBeforeTheRequestIsSent() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.UNARY);
    stream().answersHeaders();
    call.asks("request");
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.heard).containsExactly("headers", "end");
  }

  @Test
  void aRequestThatIsSentAfterTheFirstAttemptHasFailedGoesToTheNext() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.UNARY);
    stream().endsWith(Status.UNAVAILABLE);
    call.asks("request");
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 900, 1_000, 5_000})
  void aSingleRequestIsKeptWhateverItsSize(int length) {
    String request = "r".repeat(length);
    connect(policy(3));
    test.start(TestChannel.UNARY).asks(request);
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
    assertThat(stream().told).containsExactly(request, "half-close", "flush");
  }

  /** Texts that are long when one asks again. */
  private static final class Growing implements Marshaller<String> {
    private int asked;

    @Override
    public int sizeBytes(String message) {
      return asked++ == 0 ? 512 : Integer.MAX_VALUE;
    }

    @Override
    public void write(String message, MessageSink sink) {
      sink.reserve(0);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return "";
    }
  }

  @Test
  void theSizeOfASingleRequestIsAskedOnce() {
    MethodDescriptor<String, String> growing =
        MethodDescriptor.of(MethodType.UNARY, "pkg.Service/Method", new Growing(), new Growing());
    connect(policy(3));
    test.start(growing, CallOptions.DEFAULT).asks("request");
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
  }

  @Test
  void aSuccessfulFirstAttemptReturnsATokenAndAFailedAnswerTakesOne() {
    MethodConfig config = MethodConfig.builder().retryPolicy(policy(5)).build();
    connect(config, Optional.of(RetryThrottling.of(4, 1)));
    for (int i = 0; i < 2; i++) { // 2 of 4 are left: no retry
      test.call();
      stream().answersHeaders();
      stream().endsWith(Status.UNAVAILABLE);
    }
    test.call();
    stream().answers("response");
    stream().endsWith(Status.OK); // 3 of 4
    test.call();
    stream().answers("response");
    stream().endsWith(Status.OK); // 4 of 4
    TestCall next = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(next.isOver()).isFalse();
  }

  @Test
  void aCallThatIsCancelledBeforeItsStartHasNoAttempt() {
    connect(policy(3));
    TestCall call = new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    call.call.cancel("before");
    call.start();
    assertThat(call.text()).isEqualTo("before");
    assertThat(streams()).isEmpty();
  }

  @Test
  void allAttemptsShareTheDeadlineOfTheCall() {
    connect(policy(3));
    TestCall call = test.call(test.within(Duration.ofMillis(500)));
    stream().endsWith(Status.UNAVAILABLE.withDescription("busy"));
    test.advance(Duration.ofMillis(500));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.text()).contains("waiting for the next attempt after 1", "busy");
  }

  @Test
  void aPassedDeadlineIsNotRetried() {
    connect(policy(3).withRetryableStatusCodes(Status.Code.DEADLINE_EXCEEDED));
    TestCall call = test.call(test.within(Duration.ofMillis(500)));
    test.advance(Duration.ofMillis(500));
    stream().endsWith(Status.DEADLINE_EXCEEDED);
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void shutdownAtOnceEndsABackoff() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.channel().shutdownNow();
    assertThat(call.text()).contains("the channel was closed before the call ended");
  }

  @Test
  void retriesContinueAfterAGracefulShutdown() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.channel().shutdown();
    test.advance(LONG);
    stream().endsWith(Status.OK);
    assertThat(call.isOver()).isTrue();
    assertThat(streams()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutATimerTheCallEndsInsteadOfRetrying(boolean byError) {
    connect(policy(3));
    TestCall call = test.call();
    test.pipes.refusesByErrors = byError;
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void transparentRetriesAreNotCounted() {
    connect(policy(2));
    TestCall call = test.call();
    assertThat(stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    assertThat(stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
    assertThat(stream().start.headers().get(PREVIOUS)).isEmpty();
    assertThat(stream().isNotProcessed(NotProcessed.REFUSED)).isFalse(); // the policy goes on
    test.advance(LONG);
    assertThat(stream().start.headers().get(PREVIOUS)).contains("1");
    assertThat(stream().isNotProcessed(NotProcessed.REFUSED)).isFalse(); // once for the call
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aMovedAttemptOfARetryIsTheSameAttempt() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    assertThat(stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    call.call.sendMessage("one");
    assertThat(stream().told).contains("one");
    assertThat(stream().start.headers().get(PREVIOUS)).contains("1");
    call.call.cancel("enough");
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aConnectionThatCannotBeMadeIsAFailureForThePolicy() {
    connect(policy(2));
    test.dial().isLost();
    test.connector.refusesAtOnce = true;
    TestCall call = test.call();
    assertThat(call.isOver()).isFalse();
    test.advance(LONG);
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void droppedCallsAreNotRetried() {
    test.policy = new Dropping();
    MethodConfig config = MethodConfig.builder().retryPolicy(policy(3)).build();
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(ServiceConfig.builder().forAllMethods(config).build());
    TestCall call = test.patientCall();
    assertThat(call.text()).isEqualTo("dropped");
  }

  /** Drops all calls. */
  private record Dropping() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "dropping";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new Policy(context);
    }

    private record Policy(LoadBalancer.Context context) implements LoadBalancer {
      @Override
      public void onResolved(Resolution.Resolved resolved) {
        context.updateState(
            ConnectivityState.READY,
            args -> Pick.drop(Status.UNAVAILABLE.withDescription("dropped")));
      }

      @Override
      public void onResolutionFailed(Status why) {}

      @Override
      public void exitIdle() {}

      @Override
      public void shutdown() {}
    }
  }

  @Test
  void anAttemptWithoutAResponseInTimeIsReplacedByTheNext() {
    connect(policy(2).withPerAttemptReceiveTimeout(Duration.ofSeconds(2)));
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(2));
    assertThat(stream().cancellations).hasSize(1);
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
    test.advance(Duration.ofSeconds(2));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.text()).contains("perAttemptRecvTimeout");
  }

  @Test
  void theLastAttemptWithoutAResponseInTimeCountsAsOneFailure() {
    RetryPolicy timed =
        policy(2)
            .withRetryableStatusCodes(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED)
            .withPerAttemptReceiveTimeout(Duration.ofSeconds(2));
    MethodConfig config = MethodConfig.builder().retryPolicy(timed).build();
    connect(config, Optional.of(RetryThrottling.of(8, 1)));
    TestCall late = test.call();
    test.advance(Duration.ofSeconds(2)); // 7 of 8 are left
    test.advance(LONG);
    test.advance(Duration.ofSeconds(2)); // 6 of 8
    assertThat(late.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    TestCall next = test.call();
    stream().endsWith(Status.UNAVAILABLE); // 5 of 8
    assertThat(next.isOver()).isFalse();
    test.advance(LONG);
    stream().endsWith(Status.UNAVAILABLE); // 4 of 8
    TestCall throttled = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(throttled.isOver()).isTrue();
  }

  @Test
  void anAttemptThatIsAnsweredHasNoTimeLimitOfItsOwn() {
    connect(policy(2).withPerAttemptReceiveTimeout(Duration.ofSeconds(2)));
    TestCall call = test.call();
    stream().answersHeaders();
    test.advance(Duration.ofSeconds(3));
    assertThat(call.isOver()).isFalse();
  }

  @Test
  void aMessageThatCannotBeWrittenEndsTheCall() {
    connect(policy(3));
    test.dial().transport.thrownBySendOfNext =
        Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("too long").asException());
    TestCall call = test.start(TestChannel.UNARY);
    assertThat(catchThrowable(() -> call.asks("request"))).hasMessageContaining("too long");
    assertThat(call.text()).isEqualTo("too long");
    assertThat(streams()).hasSize(1);
  }

  @Test
  void aMarshallerThatThrowsEndsTheCallAndTheSenderGetsTheException() {
    connect(policy(3));
    test.dial().transport.thrownBySendOfNext = Optional.of(new IllegalStateException("broken"));
    TestCall call = test.start(TestChannel.BIDI);
    List<Exception> thrown = new ArrayList<>();
    try {
      call.call.sendMessage("one");
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    assertThat(thrown).hasSize(1);
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aRequestThatCannotBeWrittenAgainEndsTheCall() {
    connect(policy(3));
    TestCall call = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    test.dial().transport.thrownBySendOfNext = Optional.of(new IllegalStateException("broken"));
    test.advance(LONG);
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.text()).contains("the message cannot be sent");
    assertThat(stream().cancellations).hasSize(1);
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
  }

  @Test
  void aRequestThatIsTooLongToBeWrittenAgainEndsTheCallWithThatStatus() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    stream().endsWith(Status.UNAVAILABLE);
    test.dial().transport.thrownBySendOfNext =
        Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("too long").asException());
    test.advance(LONG);
    assertThat(call.text()).isEqualTo("too long");
    assertThat(streams()).hasSize(2);
  }

  @Test
  void aMessageThatIsSentWhileAnotherIsWrittenFollowsIt() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    stream().duringSend = () -> call.call.sendMessage("two");
    call.call.sendMessage("one");
    stream().duringSend = call.call::halfClose;
    call.call.sendMessage("three");
    List<String> request =
        List.of("flush", "one", "flush", "two", "flush", "three", "flush", "half-close", "flush");
    assertThat(stream().told).isEqualTo(request);
    stream().endsWith(Status.UNAVAILABLE);
    test.advance(LONG);
    assertThat(stream().told).isEqualTo(request);
  }

  @Test
  void aCallThatIsCancelledWhileItsRequestIsWrittenAgainSendsNoMore() {
    connect(policy(3));
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.sendMessage("two");
    call.call.halfClose();
    stream().endsWith(Status.UNAVAILABLE);
    test.dial().transport.duringSendOfNext = () -> call.call.cancel("enough");
    test.advance(LONG);
    assertThat(call.text()).isEqualTo("enough");
    assertThat(stream().cancellations).hasSize(1);
    test.advance(LONG);
    assertThat(streams()).hasSize(2);
  }

  @Test
  void eventsOfAnAbandonedAttemptAreIgnored() {
    connect(policy(3));
    TestCall call = test.call();
    FakeStream<?> left = stream();
    left.endsWith(Status.UNAVAILABLE);
    left.events.add(new CallEvent.Ready());
    left.events.add(new CallEvent.Headers(new Metadata()));
    left.events.add(CallEvent.Closed.atOnce(Status.INTERNAL));
    left.events.flush();
    assertThat(left.events.onNotProcessed(NotProcessed.NOT_SENT, Status.UNAVAILABLE)).isEmpty();
    assertThat(call.heard).isEmpty();
  }
}
