package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A channel connects when a call needs it, and again when it has to. */
final class ReconnectionTest {
  private static final CallOptions WAITING = CallOptions.DEFAULT.withWaitForReady(true);

  private final Simulation simulation = new Simulation();
  private final SimulatedNetwork network = simulation.network();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void open() {
    simulation.with(Texts.UNARY, held);
    channel = simulation.channel();
  }

  private void assertServed() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.all().getLast().answers("served");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("served");
  }

  @Test
  void aChannelWithoutCallsDoesNotConnect() {
    simulation.serve();
    simulation.advance(Duration.ofHours(1));
    assertThat(network.connectAttempts()).isZero();
  }

  @Test
  void theNextCallAfterALossConnectsAgain() {
    simulation.serve();
    assertServed();
    network.cutAll("gone");
    simulation.run();
    assertServed();
    assertThat(network.connectAttempts()).isEqualTo(2);
    assertThat(network.openConnections()).isOne();
  }

  @Test
  void aConnectionThatHasUsedItsStreamsIsReplaced() {
    simulation.serve();
    channel =
        simulation
            .channelBuilder()
            .transportLimits(limits -> limits.withCallsPerConnection(2))
            .build();
    MadeCall underWay = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertServed();
    assertThat(network.connectAttempts()).isOne();
    assertServed();
    assertThat(network.connectAttempts()).isEqualTo(2);
    assertThat(network.openConnections()).isEqualTo(2);
    held.all().getFirst().answers("late");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(underWay.messages()).containsExactly("late");
    assertThat(network.openConnections()).isOne();
  }

  @Test
  void cancelledCallsCountAmongTheStreamsOfAConnection() {
    simulation.with(Texts.BIDI, held).serve();
    channel =
        simulation
            .channelBuilder()
            .transportLimits(limits -> limits.withCallsPerConnection(2))
            .build();
    for (int i = 0; i < 3; i++) {
      MadeCall call = MadeCall.start(channel, Texts.BIDI);
      simulation.run();
      call.call().cancel("enough");
      simulation.run();
    }
    assertThat(network.connectAttempts()).isEqualTo(2);
    assertThat(network.openConnections()).isOne();
  }

  @Test
  void afterALossWithoutCallsThereIsNoReconnection() {
    simulation.serve();
    assertServed();
    network.cutAll("gone");
    simulation.advance(Duration.ofHours(1));
    assertThat(network.connectAttempts()).isOne();
  }

  @Test
  void aRefusedConnectionFailsWaitingCallsWithTheReason() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("connection refused").contains("192.0.2.1:50051");
  }

  @Test
  void duringTheBackoffCallsFailAtOnce() {
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    simulation.serve();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    assertThat(network.connectAttempts()).isOne();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    simulation.advance(Duration.ofMillis(1200));
    assertServed();
  }

  @Test
  void whileItReconnectsCallsStillFailAtOnce() {
    simulation.serve();
    network.setReachability(Reachability.SILENT);
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofSeconds(20));
    assertThat(first.code()).isEqualTo(Status.Code.UNAVAILABLE);
    MadeCall inBackoff = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(inBackoff.isClosed()).isTrue();
    simulation.advance(Duration.ofMillis(1201));
    assertThat(network.connectAttempts()).isEqualTo(2);
    MadeCall connecting = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall patient = MadeCall.whole(channel, Texts.UNARY, WAITING, "");
    simulation.run();
    assertThat(connecting.words()).isEqualTo(first.words());
    assertThat(patient.isClosed()).isFalse();
  }

  @Test
  void aServerIsTriedAgainWhenCallsHaveFailedMeanwhile() {
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.serve();
    simulation.advance(Duration.ofMillis(1201));
    assertThat(network.connectAttempts()).isEqualTo(2);
    assertThat(network.openConnections()).isOne();
    assertServed();
  }

  @Test
  void withoutCallsNothingConnectsAgain() {
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofHours(1));
    assertThat(network.connectAttempts()).isOne();
  }

  @Test
  void theFirstBackoffIsOneSecondPlusOrMinusAFifth() {
    MadeCall.whole(channel, Texts.UNARY, WAITING, "");
    simulation.advance(Duration.ofMillis(799));
    assertThat(network.connectAttempts()).isOne();
    simulation.advance(Duration.ofMillis(402));
    assertThat(network.connectAttempts()).isEqualTo(2);
  }

  @Test
  void backoffsGrowToTwoMinutes() {
    MadeCall.whole(channel, Texts.UNARY, WAITING, "");
    simulation.advance(Duration.ofHours(1));
    int before = network.connectAttempts();
    assertThat(before).isBetween(30, 60);
    simulation.advance(Duration.ofHours(1));
    assertThat(network.connectAttempts() - before).isBetween(24, 38);
  }

  @Test
  void aConnectionThatWasReadyEndsTheBackoff() {
    MadeCall waiting = MadeCall.whole(channel, Texts.UNARY, WAITING, "");
    simulation.advance(Duration.ofHours(1));
    simulation.serve();
    simulation.advance(Duration.ofMinutes(3));
    held.only().ends(Status.ABORTED);
    simulation.run();
    assertThat(waiting.isClosed()).isTrue();
    network.setReachability(Reachability.REFUSED);
    network.cutAll("gone");
    simulation.run();
    int before = network.connectAttempts();
    MadeCall.whole(channel, Texts.UNARY, WAITING, "");
    simulation.advance(Duration.ofMillis(1201));
    assertThat(network.connectAttempts() - before).isEqualTo(2);
  }

  @Test
  void aCallThatWaitsForReadySurvivesRefusals() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, WAITING, "patient");
    simulation.advance(Duration.ofSeconds(10));
    assertThat(call.isClosed()).isFalse();
    simulation.serve();
    simulation.advance(Duration.ofMinutes(1));
    assertThat(held.only().messages()).containsExactly("patient");
    held.only().answers("");
    held.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallThatWaitsForReadyStillHasItsDeadline() {
    CallOptions options = simulation.within(Duration.ofSeconds(5)).withWaitForReady(true);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, "");
    simulation.advance(Duration.ofSeconds(5));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aSilentServerIsGivenUpAfterTwentySeconds() {
    simulation.serve();
    network.setReachability(Reachability.SILENT);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofMillis(19_999));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(Duration.ofMillis(1));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aConnectionWithoutSettingsIsGivenUpAfterTwentySeconds() {
    Simulation slow = new Simulation(0, SimulatedWire.INSTANT.withLatency(Duration.ofSeconds(1)));
    slow.with(Texts.UNARY, held).serve();
    MadeCall call = MadeCall.whole(slow.channel(), Texts.UNARY, "");
    slow.advance(Duration.ofMillis(1500));
    assertThat(slow.network().openConnections()).isOne();
    slow.network().stall();
    slow.advance(Duration.ofSeconds(20));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    slow.network().resume();
    slow.advance(Duration.ofSeconds(20));
    assertThat(slow.network().openConnections()).isZero();
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aConnectionThatIsLostBeforeItIsReadyCountsAsRefused() {
    Simulation slow = new Simulation(0, SimulatedWire.INSTANT.withLatency(Duration.ofSeconds(1)));
    slow.with(Texts.UNARY, held).serve();
    MadeCall call = MadeCall.whole(slow.channel(), Texts.UNARY, "");
    slow.advance(Duration.ofMillis(1500));
    slow.network().cutAll("reset");
    slow.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("reset");
  }

  @Test
  void aServerThatComesBackIsFoundAgain() {
    Server first = simulation.serve();
    assertServed();
    first.shutdown();
    simulation.run();
    assertThat(first.isTerminated()).isTrue();
    MadeCall refused = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(refused.code()).isEqualTo(Status.Code.UNAVAILABLE);
    simulation.serve();
    simulation.advance(Duration.ofSeconds(2));
    assertServed();
  }
}
