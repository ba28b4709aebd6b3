package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** More than one connection to an address whose server takes few calls at a time (gRFC A105). */
final class ConnectionScalingTest {
  private final TestChannel test = new TestChannel();

  ConnectionScalingTest() {
    test.maxConnectionsPerSubchannel = 2;
  }

  /** The connection becomes ready, and takes so many calls. */
  private FakeTransport becomesReady(int dial, long streams) {
    FakeConnector.Dial to = test.connector.dials.get(dial);
    to.opens();
    to.then.onMaxConcurrentStreams(streams);
    to.then.onReady();
    return to.transport;
  }

  private static void ends(FakeStream<?> stream) {
    stream.answers("answer");
    stream.endsWith(Status.OK);
  }

  @Test
  void aCallThatFindsAllStreamsInUseCausesAnotherConnection() {
    TestCall first = test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall second = test.call();
    assertThat(test.connector.dials).hasSize(2);
    assertThat(test.channel().pendingCalls()).isOne();
    FakeTransport two = becomesReady(1, 1);
    assertThat(test.channel().pendingCalls()).isZero();
    assertThat(two.streams).hasSize(1);
    ends(one.stream());
    ends(two.stream());
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(second.status()).isEqualTo(Status.OK);
  }

  private static ServiceConfig config(int connections) {
    return ServiceConfig.builder().maxConnectionsPerSubchannel(connections).build();
  }

  @Test
  void theNumberInAServiceConfigReplacesTheChannelsNumber() {
    test.maxConnectionsPerSubchannel = 1;
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config(2));
    test.call();
    becomesReady(0, 1);
    test.call();
    assertThat(test.connector.dials).hasSize(2);
    assertThat(test.channel().snapshot().maxConnectionsPerSubchannel()).isEqualTo(2);
  }

  @Test
  void aServiceConfigCanAllowAtMostTenConnections() {
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config(1_000));
    assertThat(test.channel().snapshot().maxConnectionsPerSubchannel()).isEqualTo(10);
  }

  private void resolvesWith(int connections) {
    test.resolver.answer =
        Optional.of(config(connections).addTo((Resolution.Resolved) TestResolver.endpoints(1)));
    test.resolver.made.forEach(it -> it.listener.onResult(test.resolver.answer.orElseThrow()));
  }

  @Test
  void aChangedNumberAppliesToFurtherConnections() {
    resolvesWith(2);
    test.call();
    becomesReady(0, 1);
    resolvesWith(1);
    test.call();
    assertThat(test.connector.dials).hasSize(1);
    resolvesWith(3);
    test.call();
    assertThat(test.connector.dials).hasSize(2);
  }

  @Test
  void aRaisedNumberCausesAnotherConnectionForCallsThatWait() {
    resolvesWith(2);
    test.call();
    becomesReady(0, 1);
    test.call();
    becomesReady(1, 1);
    test.call();
    assertThat(test.connector.dials).hasSize(2);
    resolvesWith(3);
    assertThat(test.connector.dials).hasSize(3);
    assertThat(becomesReady(2, 1).streams).hasSize(1);
  }

  @Test
  void callsOfTheOnlyConnectionAreCountedOnceMoreAreAllowed() {
    resolvesWith(1);
    TestCall first = test.call();
    FakeTransport one = becomesReady(0, 2);
    resolvesWith(2);
    test.call();
    assertThat(one.streams).hasSize(2);
    TestCall waiting = test.call();
    assertThat(test.connector.dials).hasSize(2);
    ends(one.streams.getFirst());
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(one.streams).hasSize(3);
    ends(one.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aConnectionThatIsBeingMadeIsGivenUpWhenTheNumberIsLowered() {
    resolvesWith(2);
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall waiting = test.call();
    resolvesWith(1);
    assertThat(test.dial().takenBack).isTrue();
    assertThat(one.streams).hasSize(2); // it waits on the connection
    assertThat(test.channel().pendingCalls()).isZero();
    ends(one.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aConnectionThatIsBeingMadeIsGivenUpWhenThereAreAsManyAsAllowed() {
    resolvesWith(3);
    test.call();
    becomesReady(0, 1);
    test.call();
    FakeTransport two = becomesReady(1, 1);
    test.call();
    resolvesWith(2);
    assertThat(test.dial().takenBack).isTrue();
    ends(two.stream());
    assertThat(two.streams).hasSize(2);
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void aBackoffGoesOnWhileTheNumberIsLowered() {
    resolvesWith(2);
    test.call();
    FakeTransport one = becomesReady(0, 1);
    test.call();
    test.dial().isRefused();
    resolvesWith(1);
    resolvesWith(2);
    test.call();
    assertThat(one.streams).hasSize(2);
    assertThat(test.connector.dials).hasSize(2);
    test.advance(Duration.ofSeconds(2));
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void aConnectionThatIsAskedForInTheSameMomentIsNotMade() {
    resolvesWith(2);
    test.call();
    becomesReady(0, 1);
    inOneTask(() -> {
      resolvesWith(1); // takes effect in the next task
      test.call();
    });
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void theLastConnectionOfSeveralIsTheOnlyOneOnceNoMoreAreAllowed() {
    resolvesWith(2);
    test.call();
    FakeTransport one = becomesReady(0, 1);
    test.call();
    FakeTransport two = becomesReady(1, 1);
    resolvesWith(1);
    test.call();
    assertThat(test.channel().pendingCalls()).isOne();
    assertThat(one.shutdowns + two.shutdowns).isZero();
    test.connector.dials.getFirst().goesAway();
    assertThat(two.streams).hasSize(2); // it waits on the connection
    test.connector.dials.get(1).goesAway();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void aNumberThatChangesWithoutAConnectionAppliesToTheNextOne() {
    resolvesWith(1);
    test.call();
    becomesReady(0, 1);
    test.connector.dials.getFirst().isLost();
    resolvesWith(2);
    test.call();
    becomesReady(1, 1);
    test.call();
    assertThat(test.connector.dials).hasSize(3);
    test.connector.dials.get(1).isLost();
    resolvesWith(1);
    test.call();
    FakeTransport next = becomesReady(3, 1);
    test.call();
    assertThat(test.connector.dials).hasSize(4);
    assertThat(next.streams.size()).isGreaterThan(1);
  }

  @Test
  void anotherConnectionIsNotMadeWhileThereIsRoom() {
    test.call();
    FakeTransport one = becomesReady(0, 2);
    test.call();
    assertThat(one.streams).hasSize(2);
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void theOldestConnectionWithRoomIsUsed() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    test.call();
    FakeTransport two = becomesReady(1, 1);
    ends(one.streams.getFirst());
    test.call();
    assertThat(one.streams).hasSize(2);
    assertThat(two.streams).hasSize(1);
  }

  @Test
  void atTheConnectionLimitCallsWaitInTheirOrder() {
    List<TestCall> calls = new ArrayList<>();
    calls.add(test.call());
    FakeTransport one = becomesReady(0, 1);
    calls.add(test.call());
    becomesReady(1, 1);
    calls.add(test.start(TestChannel.UNARY).asks("third"));
    calls.add(test.start(TestChannel.UNARY).asks("fourth"));
    assertThat(test.connector.dials).hasSize(2);
    assertThat(test.channel().pendingCalls()).isEqualTo(2);
    ends(one.stream());
    assertThat(one.stream().told).contains("third");
    ends(one.stream());
    assertThat(one.stream().told).contains("fourth");
    ends(one.stream());
    assertThat(calls.get(3).status()).isEqualTo(Status.OK);
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void aCallThatWaitsForAStreamEndsByItsDeadlineAndSaysSo() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall waiting = test.call(test.within(Duration.ofSeconds(1)));
    test.advance(Duration.ofSeconds(1));
    assertThat(waiting.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(waiting.text())
        .contains("waiting for a free stream")
        .contains("maxConnectionsPerSubchannel");
    assertThat(test.channel().pendingCalls()).isZero();
    ends(one.stream());
    assertThat(one.streams).hasSize(1);
  }

  @Test
  void aCallThatIsCancelledWhileItWaitsTakesNoStream() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall cancelled = test.call();
    TestCall next = test.call();
    cancelled.call.cancel("not wanted");
    assertThat(cancelled.status().code()).isEqualTo(Status.Code.CANCELLED);
    ends(one.streams.getFirst());
    assertThat(one.streams).hasSize(2);
    ends(one.stream());
    assertThat(next.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallWhoseCredentialsDoNotAnswerFreesItsStream() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    ends(one.stream());
    CallCredentials silent = request -> new CompletableFuture<>();
    TestCall first = test.call(test.within(Duration.ofSeconds(1)).withCallCredentials(silent));
    TestCall second = test.call();
    assertThat(one.streams).hasSize(1);
    test.advance(Duration.ofSeconds(1));
    assertThat(first.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(one.streams).hasSize(2);
    ends(one.stream());
    assertThat(second.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallWhoseCredentialsFailFreesItsStream() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    ends(one.stream());
    CallCredentials bad =
        request -> CompletableFuture.failedStage(new IllegalStateException("no key"));
    TestCall failed = test.call(CallOptions.DEFAULT.withCallCredentials(bad));
    assertThat(failed.status().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    test.call();
    assertThat(one.streams).hasSize(2);
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void waitingCallsStartWhenTheServerRaisesItsLimit() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    test.call();
    test.connector.dials.get(0).then.onMaxConcurrentStreams(2);
    assertThat(one.streams).hasSize(2);
  }

  @Test
  void aConnectionThatCannotBeMadeIsTriedAgainAfterABackoffWhileCallsWait() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall waiting = test.call();
    test.dial().isRefused();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    assertThat(waiting.isOver()).isFalse();
    test.advance(Duration.ofSeconds(2));
    assertThat(test.connector.dials).hasSize(3);
    test.dial().isRefused();
    ends(one.stream());
    assertThat(waiting.isOver()).isFalse();
    assertThat(one.streams).hasSize(2);
    test.advance(Duration.ofSeconds(10));
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void theBackoffOfAnotherConnectionIsThatOfTheAddress() {
    test.call();
    becomesReady(0, 1);
    test.call();
    test.dial().isRefused();
    test.advance(Duration.ofSeconds(2));
    test.dial().isRefused();
    assertThat(test.connector.dials).hasSize(3);
    test.connector.dials.getFirst().isLost();
    test.dial().isRefused(); // the third time: 2.56 s, and 20% less or more
    test.advance(Duration.ofSeconds(2));
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.advance(Duration.ofMillis(1073));
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.IDLE);
    test.advance(Duration.ofMinutes(1));
    assertThat(test.connector.dials).hasSize(4); // no backoff of another connection is left
  }

  @Test
  void ifTheBackoffTimerIsRefusedTheNextCallDialsAgain() {
    test.call();
    becomesReady(0, 1);
    test.call();
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    test.dial().isRefused();
    test.pipes.refused.clear();
    assertThat(test.connector.dials).hasSize(2);
    test.call();
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void resetConnectBackoffTriesTheOtherConnectionAtOnce() {
    test.call();
    becomesReady(0, 1);
    test.call();
    test.dial().isRefused();
    test.channel().resetConnectBackoff();
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void callsThatWaitForAStreamOfALostConnectionGetTheNextOne() {
    test.call();
    becomesReady(0, 1);
    TestCall waiting = test.call();
    FakeConnector.Dial growing = test.dial();
    test.connector.dials.getFirst().isLost();
    assertThat(growing.takenBack).isTrue();
    assertThat(test.connector.dials).hasSize(3);
    FakeTransport next = becomesReady(2, 1);
    ends(next.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aConnectionThatIsReadyWhenTheFullOneGoesAwayTakesWaitingCalls() {
    test.call();
    becomesReady(0, 1);
    TestCall waiting = test.call();
    FakeConnector.Dial two = test.dial();
    two.opens();
    inOneTask(() -> {
      two.then.onReady();
      test.connector.dials.getFirst().goesAway();
    });
    ends(two.transport.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aConnectionThatIsReadyAfterTheLastOneHasGoneAwayIsClosed() {
    test.call();
    becomesReady(0, 1);
    TestCall waiting = test.call();
    FakeConnector.Dial two = test.dial();
    two.opens();
    inOneTask(() -> {
      test.connector.dials.getFirst().goesAway();
      two.then.onReady();
    });
    assertThat(two.transport.shutdowns).isOne();
    FakeTransport next = becomesReady(2, 1);
    ends(next.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aConnectionThatWaitsForSettingsWhenTheLastOneGoesAwayIsClosed() {
    test.call();
    becomesReady(0, 1);
    TestCall waiting = test.call();
    FakeConnector.Dial two = test.dial();
    two.opens();
    test.connector.dials.getFirst().goesAway();
    assertThat(two.transport.shutdowns).isOne();
    two.then.onReady(); // its SETTINGS were on their way
    FakeTransport next = becomesReady(2, 1);
    ends(next.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
    assertThat(two.transport.streams).isEmpty();
  }

  @Test
  void aConnectionThatOpensWhileTheLastOneGoesAwayIsClosed() {
    test.call();
    becomesReady(0, 1);
    test.call();
    FakeConnector.Dial two = test.dial();
    inOneTask(() -> {
      test.connector.dials.getFirst().goesAway();
      two.opens();
    });
    assertThat(two.transport.shutdowns).isOne();
  }

  @Test
  void aConnectionThatOpensAfterTheLastOneHasGoneAwayIsClosed() {
    test.call();
    becomesReady(0, 1);
    test.call();
    FakeConnector.Dial two = test.dial();
    test.connector.dials.getFirst().goesAway();
    two.opens();
    assertThat(two.transport.shutdowns).isOne();
  }

  @Test
  void aCallThatHasLostAllConnectionsSaysWhyThereIsNone() {
    test.call();
    becomesReady(0, 1);
    test.call();
    becomesReady(1, 1);
    TestCall waiting = test.call(test.within(Duration.ofSeconds(30)).withWaitForReady(true));
    test.connector.refusesAtOnce = true;
    test.connector.dials.get(0).goesAway();
    test.connector.dials.get(1).goesAway();
    test.advance(Duration.ofSeconds(30));
    assertThat(waiting.text()).contains("connection refused").doesNotContain("free stream");
  }

  /** As if several loops had something to say while the channel is busy. */
  private void inOneTask(Runnable events) {
    test.resolver.last().context.execute(events);
  }

  @Test
  void oneOfSeveralConnectionsMayGoAwayAndTheChannelStaysReady() {
    test.call();
    becomesReady(0, 1);
    test.call();
    FakeTransport two = becomesReady(1, 2);
    test.connector.dials.getFirst().goesAway();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    test.call();
    assertThat(two.streams).hasSize(2);
    test.connector.dials.get(1).goesAway();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void aCallThatMovesToAnotherAttemptFreesItsStream() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall waiting = test.call();
    one.stream().isNotProcessed(NotProcessed.REFUSED);
    assertThat(one.streams).hasSize(2);
    ends(one.stream());
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallThatCannotStartFreesItsStream() {
    test.call();
    FakeTransport one = becomesReady(0, 1);
    TestCall waiting = test.call();
    TestCall next = test.call();
    one.thrownByOpen = Optional.of(new AssertionError("no stream"));
    ends(one.stream());
    assertThat(waiting.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(next.status().code()).isEqualTo(Status.Code.INTERNAL);
    one.thrownByOpen = Optional.empty();
    test.call();
    assertThat(one.streams).hasSize(2);
  }

  @Test
  void aChannelThatIsShutDownAtOnceEndsCallsThatWaitForAStream() {
    test.call();
    becomesReady(0, 1);
    TestCall waiting = test.call();
    FakeConnector.Dial growing = test.dial();
    test.channel().shutdownNow();
    assertThat(waiting.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(growing.takenBack).isTrue();
  }

  @Test
  void withOneConnectionCallsGoToItAsTheyCome() {
    test.maxConnectionsPerSubchannel = 1;
    test.call();
    FakeTransport one = becomesReady(0, 1);
    test.call();
    assertThat(one.streams).hasSize(2);
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void theOptionIsPositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ManagedChannel.builder("name").maxConnectionsPerSubchannel(0));
  }
}
