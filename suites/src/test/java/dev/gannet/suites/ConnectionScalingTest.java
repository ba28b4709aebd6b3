package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
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
}
