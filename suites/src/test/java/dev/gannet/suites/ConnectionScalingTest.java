package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A channel makes more connections to a server that takes few calls on each (gRFC A105). */
final class ConnectionScalingTest {
  private static final int STREAMS = 2;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  ConnectionScalingTest() {
    simulation.with(Texts.UNARY, held);
    Simulation.start(simulation.serverBuilder().maxConcurrentCallsPerConnection(STREAMS));
  }

  private List<MadeCall> makeCalls(ManagedChannel channel, int count) {
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(MadeCall.whole(channel, Texts.UNARY, "" + i));
    }
    simulation.run();
    return calls;
  }

  @Test
  void connectionsAreMadeUntilAllCallsHaveAStream() {
    ManagedChannel channel = simulation.channelBuilder().maxConnectionsPerSubchannel(10).build();
    makeCalls(channel, 7);
    assertThat(held.all()).hasSize(7);
    assertThat(simulation.network().connectAttempts()).isEqualTo(4);
    assertThat(channel.pendingCalls()).isZero();
  }

  @Test
  void noMoreConnectionsAreMadeThanTheOptionSaysAndTheOtherCallsWait() {
    ManagedChannel channel = simulation.channelBuilder().maxConnectionsPerSubchannel(3).build();
    List<MadeCall> calls = makeCalls(channel, 20);
    assertThat(held.all()).hasSize(3 * STREAMS);
    assertThat(channel.pendingCalls()).isEqualTo(20 - 3 * STREAMS);
    for (int i = 0; i < 20; i++) {
      held.all().get(i).answers("");
      held.all().get(i).ends();
      simulation.run();
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
    assertThat(simulation.network().connectAttempts()).isEqualTo(3);
  }

  @Test
  void byDefaultThereIsOneConnection() {
    makeCalls(simulation.channel(), 7);
    assertThat(held.all()).hasSize(STREAMS);
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void aCallThatWaitsForAStreamEndsByItsDeadline() {
    ManagedChannel channel = simulation.channelBuilder().maxConnectionsPerSubchannel(2).build();
    makeCalls(channel, 2 * STREAMS);
    MadeCall late =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "late");
    simulation.advance(Duration.ofSeconds(1));
    simulation.run();
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(late.words()).contains("waiting for a free stream");
  }

  private static ServiceConfig config(int connections) {
    return ServiceConfig.builder().maxConnectionsPerSubchannel(connections).build();
  }

  private final ChangingConfig configs = new ChangingConfig(config(1));

  private void allow(int connections) {
    configs.publish(config(connections));
    simulation.run();
  }

  private void endCall(int number) {
    held.all().get(number).answers("");
    held.all().get(number).ends();
    simulation.run();
  }

  private void areOpen(int connections) {
    assertThat(simulation.network().openConnections()).isEqualTo(connections);
    assertThat(simulation.network().connectAttempts()).isEqualTo(connections);
  }

  @Test
  void aConnectionThatWasTheOnlyOneAllowedGetsAnotherWhenMoreAreAllowed() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    makeCalls(channel, STREAMS);
    allow(2);
    areOpen(1);
    makeCalls(channel, 2 * STREAMS);
    areOpen(2);
    assertThat(held.all()).hasSize(2 * STREAMS);
    assertThat(channel.pendingCalls()).isEqualTo(STREAMS);
  }

  @Test
  void callsThatWaitOnTheOnlyConnectionUseAnotherWhenMoreAreAllowed() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    List<MadeCall> calls = makeCalls(channel, 3 * STREAMS);
    assertThat(held.all()).hasSize(STREAMS);
    allow(2);
    areOpen(2);
    assertThat(held.all()).hasSize(2 * STREAMS);
    allow(3);
    areOpen(3);
    for (int i = 0; i < 3 * STREAMS; i++) {
      endCall(i);
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
  }

  @Test
  void callsThatBeganOnTheOnlyConnectionFreeTheirStreamsForWaitingOnes() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    makeCalls(channel, STREAMS);
    allow(2);
    makeCalls(channel, 2 * STREAMS);
    assertThat(channel.pendingCalls()).isEqualTo(STREAMS);
    endCall(0);
    assertThat(held.all()).hasSize(2 * STREAMS + 1);
    endCall(1);
    assertThat(held.all()).hasSize(3 * STREAMS);
    areOpen(2);
  }

  @Test
  void whenOneConnectionIsAllowedAgainTheOthersStayAndNoneIsMade() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    allow(2);
    List<MadeCall> calls = makeCalls(channel, 2 * STREAMS);
    allow(1);
    calls.addAll(makeCalls(channel, 2));
    areOpen(2);
    assertThat(channel.pendingCalls()).isEqualTo(2);
    for (int i = 0; i < 2 * STREAMS + 2; i++) {
      endCall(i);
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
    areOpen(2);
  }

  @Test
  void aConnectionThatIsTheOnlyOneAllowedAgainTakesTheCallsThatWait() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    makeCalls(channel, 1);
    for (int round = 0; round < 3; round++) {
      allow(2);
      allow(1);
    }
    List<MadeCall> calls = makeCalls(channel, 2 * STREAMS);
    areOpen(1);
    assertThat(channel.pendingCalls()).isZero(); // they wait on the connection
    for (int i = 0; i <= 2 * STREAMS; i++) {
      endCall(i);
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
  }

  @Test
  void aCallThatOutlivesSeveralChangesIsCountedOnce() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    makeCalls(channel, 1);
    for (int round = 0; round < 3; round++) {
      allow(2);
      allow(1);
    }
    allow(2);
    makeCalls(channel, STREAMS - 1);
    areOpen(1);
    makeCalls(channel, STREAMS);
    areOpen(2);
    endCall(0);
    makeCalls(channel, 2);
    assertThat(channel.pendingCalls()).isOne();
    areOpen(2);
  }

  @Test
  void aCallThatHasMovedTooOftenStaysOnItsConnection() {
    ManagedChannel channel = simulation.configuredBy(configs).build();
    makeCalls(channel, STREAMS);
    List<MadeCall> waiting = makeCalls(channel, 1);
    for (int round = 0; round < 20; round++) {
      configs.publish(config(2));
      allow(1); // before the call has moved
    }
    assertThat(channel.snapshot().calls().transparentRetries()).isEqualTo(16);
    allow(2);
    areOpen(1);
    assertThat(waiting).noneMatch(MadeCall::isClosed);
    endCall(0);
    endCall(STREAMS);
    assertThat(waiting).allMatch(call -> call.status().equals(Status.OK));
  }
}
