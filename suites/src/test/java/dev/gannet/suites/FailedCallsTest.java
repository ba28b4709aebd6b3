package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallFailure;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ChannelConnectionSnapshot;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.server.Server;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a channel tells of calls that failed on their way to a server, and of itself. */
@ParameterizedClass
@EnumSource
final class FailedCallsTest {
  private final Medium medium;
  private final Simulation simulation;

  FailedCallsTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private static CallFailure failureOf(MadeCall call) {
    return call.status().failure().orElseThrow();
  }

  /** For what a network does. */
  private void onHttp2Alone() {
    assumeTrue(medium == Medium.HTTP2);
  }

  /** Its only attempt was on the server, which had this time. */
  private void assertNamesTheServer(MadeCall call, Duration onWire) {
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts())
        .singleElement()
        .satisfies(it -> assertThat(it.server()).isEqualTo(call.call().peer()));
    assertThat(failure.attempts().getLast().server()).isPresent();
    assertThat(failure.onWire()).hasValue(onWire);
    assertThat(call.status().asException())
        .hasMessageContaining("on " + call.call().peer().orElseThrow())
        .hasMessageContaining("wire " + onWire.toMillis() + " ms");
  }

  @Test
  void aRefusedConnectionIsOneAttemptWithoutAServer() {
    onHttp2Alone();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    CallFailure failure = failureOf(call);
    assertThat(failure.target()).contains("192.0.2.1");
    assertThat(failure.addresses()).hasSize(1);
    assertThat(failure.attempts()).hasSize(1);
    assertThat(failure.attempts().getFirst().server()).isEmpty();
  }

  @Test
  void aResetIsReportedWithItsCodeAndItsServer() {
    onHttp2Alone();
    simulation.serveRaw((peer, stream) -> peer.resets(stream, ErrorCode.NO_ERROR));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    CallFailure.Attempt attempt = failureOf(call).attempts().getLast();
    assertThat(attempt.resetCode()).hasValue("NO_ERROR");
    assertThat(attempt.server().orElseThrow().toString()).contains("192.0.2.1");
  }

  @Test
  void aCallThatIsRefusedTwiceHasTwoAttempts() {
    onHttp2Alone();
    simulation.serveRaw((peer, stream) -> peer.resets(stream, ErrorCode.REFUSED_STREAM));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failureOf(call).attempts())
        .hasSize(2)
        .allMatch(it -> it.resetCode().orElse("").equals("REFUSED_STREAM"));
    assertThat(call.status().asException()).hasMessageContaining("attempts 1 to 2 on ");
  }

  @Test
  void aPassedDeadlineIsReportedWithTheTimeOnTheWire() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(3)), "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(3));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(failureOf(call).inQueue()).isZero();
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void aDeadlineBeforeTheEndWasReadIsReportedWithItsServer() {
    HeldCalls held = new HeldCalls();
    simulation.with(Texts.BIDI, held).serve();
    MadeCall call =
        MadeCall.start(simulation.channel(), Texts.BIDI, simulation.within(Duration.ofSeconds(3)));
    simulation.run();
    held.only().answers("unread");
    held.only().ends();
    simulation.advance(Duration.ofSeconds(3));
    assertThat(call.words()).contains("waiting for the application to read the response");
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  /** Its server has reset it behind a message, which the client does not read. */
  private MadeCall withUnreadReset(CallOptions options) {
    onHttp2Alone();
    simulation.serveRaw((peer, stream) -> {
      peer.sends(stream, EndStream.NO, ":status", "200", "content-type", "application/grpc");
      peer.sendsContent(stream, "\0\0\0\0\0", EndStream.NO);
      peer.resets(stream, ErrorCode.INTERNAL_ERROR);
    });
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI, options);
    simulation.run();
    return call;
  }

  @Test
  void aDeadlineBeforeAResetWasReadIsReportedWithItsCode() {
    MadeCall call = withUnreadReset(simulation.within(Duration.ofSeconds(3)));
    simulation.advance(Duration.ofSeconds(3));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(failureOf(call).attempts().getLast().resetCode()).hasValue("INTERNAL_ERROR");
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void aCancellationAfterAnUnreadResetHasNoDetails() {
    MadeCall call = withUnreadReset(CallOptions.DEFAULT);
    call.call().cancel("not wanted");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: not wanted");
    assertThat(call.status().failure()).isEmpty();
  }

  @Test
  void anAnswerThatTheServerIsUnavailableIsReportedWithItsServer() {
    HeldCalls held = new HeldCalls();
    simulation.with(Texts.UNARY, held).serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(3));
    held.only().ends(Status.UNAVAILABLE.withDescription("busy"));
    simulation.run();
    assertThat(call.words()).isEqualTo("busy");
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void theEndOfAllCallsOfAChannelIsReportedWithTheirServer() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(3));
    channel.shutdownNow();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void theEndOfAServerIsReportedWithItsAddress() {
    simulation.with(Texts.UNARY, new HeldCalls());
    Server server = simulation.serve();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(3));
    server.shutdownNow();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void anAttemptWithoutAResponseInTimeIsReportedWithItsServer() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    RetryPolicy policy =
        RetryPolicy.of(2, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofSeconds(9))
            .withMaxBackoff(Duration.ofSeconds(9))
            .withPerAttemptReceiveTimeout(Duration.ofSeconds(1));
    MadeCall call =
        MadeCall.whole(retrying(policy), Texts.UNARY, simulation.within(Duration.ofSeconds(3)), "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(3));
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts())
        .singleElement()
        .satisfies(it -> assertThat(it.server()).isPresent());
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(2));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(1));
  }

  @Test
  void theTimeThatAServerAsksForBeforeARetryIsNotOnTheWire() {
    HeldCalls held = new HeldCalls();
    simulation.with(Texts.UNARY, held).serve();
    MadeCall call =
        MadeCall.whole(
            retrying(RetryPolicy.of(3, Status.Code.UNAVAILABLE)),
            Texts.UNARY,
            simulation.within(Duration.ofSeconds(10)),
            "");
    simulation.run();
    for (int i = 0; i < 2; i++) {
      Metadata pushback = new Metadata();
      pushback.add(Metadata.Key.ascii("grpc-retry-pushback-ms"), "4000");
      held.all().getLast().call().close(Status.UNAVAILABLE, pushback);
      simulation.run();
      simulation.advance(Duration.ofSeconds(4));
    }
    simulation.advance(Duration.ofSeconds(2));
    CallFailure failure = failureOf(call);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(failure.attemptCount()).isEqualTo(3);
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(8));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(2));
  }

  private ManagedChannel retrying(RetryPolicy policy) {
    MethodConfig retried = MethodConfig.builder().retryPolicy(policy).build();
    return simulation
        .channelBuilder()
        .defaultServiceConfig(ServiceConfig.builder().forAllMethods(retried).build())
        .build();
  }

  @Test
  void aGoAwayIsReportedWithItsCode() {
    onHttp2Alone();
    simulation.serveRaw((peer, stream) -> peer.goesAway(0));
    MadeCall call =
        MadeCall.whole(
            simulation.channel(), Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "");
    simulation.run();
    simulation.advance(Duration.ofSeconds(2));
    assertThat(failureOf(call).attempts())
        .anyMatch(it -> it.goAway().orElse("").startsWith("NO_ERROR"));
  }

  @Test
  void callsThatWaitForAStreamOfTheOnlyConnectionAreCounted() {
    onHttp2Alone();
    HeldCalls held = new HeldCalls();
    simulation.with(Texts.UNARY, held);
    Simulation.start(simulation.serverBuilder().maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, CallOptions.DEFAULT, "first");
    simulation.run();
    MadeCall second = MadeCall.whole(channel, Texts.UNARY, "second");
    MadeCall third = MadeCall.whole(channel, Texts.UNARY, "third");
    simulation.run();
    assertThat(connection(channel).callsWaiting()).isEqualTo(2);
    assertThat(connection(channel).maxConcurrentStreams()).hasValue(1);
    third.call().cancel("not wanted");
    simulation.run();
    assertThat(connection(channel).callsWaiting()).isOne();
    held.all().getFirst().answers("");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(connection(channel).callsWaiting()).isZero();
    assertThat(second.isClosed()).isFalse();
  }

  private static ChannelConnectionSnapshot connection(ManagedChannel channel) {
    return channel.snapshot().subchannels().getFirst().connections().getFirst();
  }

  @Test
  void aPingIsAnswered() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    CompletableFuture<Duration> ping = channel.ping();
    simulation.run();
    assertThat(ping).isCompleted();
    assertThat(ping.join()).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void aPingIsCompletedWhenItsConnectionCloses() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    CompletableFuture<Duration> before = channel.ping();
    channel.shutdownNow();
    CompletableFuture<Duration> after = channel.ping();
    simulation.run();
    assertThat(before).isDone(); // the answer may have come in time
    assertThat(after).isCompletedExceptionally();
    assertThat(((StatusException) after.exceptionNow()).status().code())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }
}
