package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.LearntDelay;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of all kinds are retried and hedged over whole connections (gRFC A6). */
@ParameterizedClass
@EnumSource
final class RetriesTest {
  private static final Metadata.Key<String> PREVIOUS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");
  private static final Duration LONG = Duration.ofMillis(1300);
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final MethodConfig RETRIED = retriedAfter(Status.Code.UNAVAILABLE);

  private static MethodConfig retriedAfter(Status.Code code) {
    return MethodConfig.builder()
        .retryPolicy(
            RetryPolicy.of(3, code)
                .withInitialBackoff(Duration.ofSeconds(1))
                .withMaxBackoff(Duration.ofSeconds(1))
                .withBackoffMultiplier(1))
        .build();
  }

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedCalls traced = new TracedCalls();

  RetriesTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  private ManagedChannel channel(MethodDescriptor<String, String> method, MethodConfig config) {
    simulation.with(method, held).serve();
    return simulation
        .channelBuilder()
        .defaultServiceConfig(ServiceConfig.builder().forAllMethods(config).build())
        .addTracer(traced)
        .build();
  }

  private MadeCall start(MethodDescriptor<String, String> method, MethodConfig config) {
    return start(channel(method, config), method);
  }

  private static MadeCall start(ManagedChannel channel, MethodDescriptor<String, String> method) {
    return MadeCall.start(channel, method, CallOptions.DEFAULT).wants(1);
  }

  private void failsTwice() {
    for (int i = 0; i < 2; i++) {
      simulation.run();
      held.all().getLast().ends(Status.UNAVAILABLE.withDescription("busy"));
      simulation.run();
      simulation.advance(LONG);
    }
    simulation.run();
    assertThat(held.all()).hasSize(3);
    assertThat(held.all().stream().map(it -> it.headers().get(PREVIOUS)))
        .containsExactly(Optional.empty(), Optional.of("1"), Optional.of("2"));
  }

  private void isSeenThreeTimes() {
    assertThat(traced.only().end()).isEqualTo(Status.OK);
    assertThat(traced.only().attempts.stream().map(it -> it.start.previousAttempts()))
        .containsExactly(0, 1, 2);
    assertThat(traced.only().attempts.getFirst().seen).last().isEqualTo("end: UNAVAILABLE: busy");
    assertThat(traced.only().attempts.getLast().seen).last().isEqualTo("end: OK");
  }

  private void answersLast(MadeCall call) {
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
    isSeenThreeTimes();
  }

  @Test
  void aUnaryCallIsTriedAgain() {
    MadeCall call = start(Texts.UNARY, RETRIED).says("question");
    failsTwice();
    assertThat(held.all()).allSatisfy(it -> assertThat(it.messages()).containsExactly("question"));
    answersLast(call);
  }

  /** What they were given after their end is not kept for attempts that never come. */
  @Test
  void callsThatEndBeforeTheyBeginHoldNoneOfTheChannelsRetryBuffer() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .defaultServiceConfig(ServiceConfig.builder().forAllMethods(RETRIED).build())
            .retryBufferBytes(10_000)
            .build();
    CallOptions late = CallOptions.DEFAULT.withDeadline(Duration.ZERO);
    for (int i = 0; i < 20; i++) {
      MadeCall ended = MadeCall.whole(channel, Texts.UNARY, late, Texts.ofLength(3_000));
      simulation.run();
      assertThat(ended.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
    MadeCall call = start(channel, Texts.UNARY).says(Texts.ofLength(3_000));
    failsTwice();
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  /** Keeps a token until a server refuses it. */
  private static final class KeptToken implements CallCredentials {
    final List<Integer> previousAttempts = new ArrayList<>();
    final List<Optional<Status.Code>> previousFailures = new ArrayList<>();
    int version = 1;

    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      previousAttempts.add(request.previousAttempts());
      previousFailures.add(request.previousFailure().map(Status::code));
      if (request.previousHeaders().get(TOKEN).equals(Optional.of(token()))) {
        version++;
      }
      Metadata headers = new Metadata();
      headers.set(TOKEN, token());
      return CompletableFuture.completedStage(headers);
    }

    private String token() {
      return "version " + version;
    }
  }

  @Test
  void aTokenThatTheServerRefusesIsReplacedOnceByTheRetriesOfItsCalls() {
    ManagedChannel channel = channel(Texts.UNARY, retriedAfter(Status.Code.UNAUTHENTICATED));
    KeptToken token = new KeptToken();
    CallOptions options = CallOptions.DEFAULT.withCallCredentials(token.overPlaintext());
    List<MadeCall> calls =
        Stream.generate(() -> MadeCall.whole(channel, Texts.UNARY, options, "question"))
            .limit(2)
            .toList();
    simulation.run();
    held.all().forEach(it -> it.ends(Status.UNAUTHENTICATED));
    simulation.run();
    simulation.advance(LONG);
    simulation.run();
    assertThat(held.all().stream().map(it -> it.headers().get(TOKEN).orElseThrow()))
        .containsExactly("version 1", "version 1", "version 2", "version 2");
    assertThat(token.previousAttempts).containsExactly(0, 0, 1, 1);
    assertThat(token.previousFailures.subList(0, 2)).containsOnly(Optional.empty());
    assertThat(token.previousFailures.subList(2, 4))
        .containsOnly(Optional.of(Status.Code.UNAUTHENTICATED));
    held.all().subList(2, 4).forEach(it -> it.answers("answer"));
    held.all().subList(2, 4).forEach(HeldCall::ends);
    simulation.run();
    assertThat(calls).allSatisfy(it -> assertThat(it.status()).isEqualTo(Status.OK));
  }

  @Test
  void aServerStreamIsTriedAgain() {
    MadeCall call = start(Texts.SERVER_STREAMING, RETRIED).says("question");
    failsTwice();
    answersLast(call);
  }

  @Test
  void aClientStreamIsTriedAgainWithAllOfItsMessages() {
    MadeCall call = start(Texts.CLIENT_STREAMING, RETRIED).says("a", "b");
    failsTwice();
    call.says("c").halfCloses();
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly("a", "b", "c");
    answersLast(call);
  }

  @Test
  void aBidiStreamIsRetriedUntilItsResponseBegins() {
    MadeCall call = start(Texts.BIDI, RETRIED).says("a");
    failsTwice();
    held.all().getLast().answers("answer");
    simulation.run();
    call.says("b").halfCloses();
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly("a", "b");
    held.all().getLast().ends(Status.UNAVAILABLE);
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(3);
  }

  /** A transport may notify a listener when an attempt is cancelled that has already failed. */
  @Test
  void aCallEndsBetweenItsAttemptsThoughItsExecutorRefusesTasks() {
    AtomicReference<Executor> executor = new AtomicReference<>(simulation.loop());
    CallOptions options = CallOptions.DEFAULT.withExecutor(task -> executor.get().execute(task));
    ManagedChannel channel = channel(Texts.UNARY, RETRIED);
    MadeCall call = MadeCall.start(channel, Texts.UNARY, options).wants(1);
    call.says("question");
    simulation.run();
    held.only().ends(Status.UNAVAILABLE);
    simulation.run();
    executor.set(task -> {
      throw new RejectedExecutionException("shut down");
    });
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aHedgedCallIsAnsweredOnceAndTheOthersAreCancelled() {
    HedgingPolicy policy = HedgingPolicy.of(3).withHedgingDelay(Duration.ofMillis(10));
    MadeCall call =
        start(Texts.UNARY, MethodConfig.builder().hedgingPolicy(policy).build()).says("question");
    for (int i = 0; i < 4; i++) {
      simulation.run();
      simulation.advance(Duration.ofMillis(10));
    }
    simulation.run();
    assertThat(held.all()).hasSize(3);
    held.all().get(1).answers("answer");
    held.all().get(1).ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(List.of(held.all().get(0).cancels(), held.all().get(2).cancels()))
        .containsExactly(1, 1);
  }

  @Test
  void aLearntDelayHedgesCallsThatAreSlowerThanMost() {
    HedgingPolicy policy =
        HedgingPolicy.of(2)
            .withHedgingDelay(Duration.ofSeconds(1))
            .withLearntHedgingDelay(LearntDelay.DEFAULT.withMinCalls(20));
    ManagedChannel channel =
        channel(Texts.UNARY, MethodConfig.builder().hedgingPolicy(policy).build());
    for (int i = 0; i < 20; i++) {
      MadeCall call = start(channel, Texts.UNARY).says("question");
      simulation.run();
      simulation.advance(Duration.ofMillis(10));
      held.all().getLast().answers("answer");
      held.all().getLast().ends();
      simulation.run();
      assertThat(call.status()).isEqualTo(Status.OK);
    }
    assertThat(held.all()).hasSize(20);
    MadeCall slow = start(channel, Texts.UNARY).says("question");
    simulation.run();
    simulation.advance(Duration.ofMillis(9));
    simulation.run();
    assertThat(held.all()).hasSize(21);
    simulation.advance(Duration.ofMillis(3));
    simulation.run();
    assertThat(held.all()).hasSize(22);
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(slow.status()).isEqualTo(Status.OK);
    assertThat(channel.snapshot().calls().hedges()).isOne();
    assertThat(channel.snapshot().calls().attempts()).isEqualTo(22);
  }

  @Test
  void cancellationEndsABackoff() {
    MadeCall call = start(Texts.UNARY, RETRIED).says("question");
    simulation.run();
    held.only().ends(Status.UNAVAILABLE);
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    simulation.advance(LONG);
    assertThat(held.all()).hasSize(1);
  }
}
