package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that give calls up as honest clients do keep their connection, however often they do. (A
 * server that counts resets lets 512 pass at once.)
 */
final class HonestResetsTest {
  private static final int MANY = 1_000;
  private static final int AS_MANY_AS_THERE_ARE_STREAMS = 256;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  private ManagedChannel serve() {
    simulation.with(Texts.SERVER_STREAMING, held).with(Texts.UNARY, held).serve();
    return simulation.channel();
  }

  private void assertOneConnection() {
    assertThat(simulation.network().connectAttempts()).isOne();
    assertThat(simulation.network().openConnections()).isOne();
  }

  @Test
  void aStreamMayBeCancelledOnceItsResponseHasBegun() {
    ManagedChannel channel = serve();
    for (int i = 0; i < MANY; i++) {
      MadeCall call = MadeCall.whole(channel, Texts.SERVER_STREAMING, "");
      simulation.run();
      held.all().getLast().answers("first");
      simulation.run();
      assertThat(call.messages()).containsExactly("first");
      call.call().cancel("seen enough");
      simulation.run();
      held.all().getLast().ends();
    }
    assertOneConnection();
  }

  /** A client's clock may be a little before the server's. */
  @ParameterizedTest
  @ValueSource(longs = {1000, 100, 50})
  void allCallsMayBeCancelledJustBeforeTheirDeadlines(long millis) {
    ManagedChannel channel = serve();
    for (int round = 0; round < 4; round++) {
      List<MadeCall> calls = new ArrayList<>();
      CallOptions options = simulation.within(Duration.ofMillis(millis));
      for (int i = 0; i < AS_MANY_AS_THERE_ARE_STREAMS; i++) {
        calls.add(MadeCall.whole(channel, Texts.UNARY, options, ""));
      }
      simulation.run();
      simulation.advance(Duration.ofMillis(millis).multipliedBy(15).dividedBy(16));
      assertThat(calls).noneMatch(MadeCall::isClosed);
      calls.forEach(call -> call.call().cancel("in vain"));
      simulation.run();
      held.all().forEach(HeldCall::ends);
      simulation.run();
    }
    assertOneConnection();
  }

  @Test
  void allCallsMayReachTheirDeadlinesAtOnce() {
    ManagedChannel channel = serve();
    for (int round = 0; round < 4; round++) {
      List<MadeCall> calls = new ArrayList<>();
      CallOptions options = simulation.within(Duration.ofSeconds(1));
      for (int i = 0; i < AS_MANY_AS_THERE_ARE_STREAMS; i++) {
        calls.add(MadeCall.whole(channel, Texts.UNARY, options, ""));
      }
      simulation.run();
      simulation.advance(Duration.ofSeconds(1));
      assertThat(calls).allMatch(call -> call.code() == Status.Code.DEADLINE_EXCEEDED);
      held.all().forEach(HeldCall::ends);
      simulation.run();
    }
    assertOneConnection();
  }

  @Test
  void allCallsMayBeCancelledAtOnceTwice() {
    ManagedChannel channel = serve();
    for (int round = 0; round < 2; round++) {
      givesAllUpAfter(channel, Duration.ZERO);
    }
    assertOneConnection();
  }

  @Test
  void callsThatLastedSomeTimeMayBeCancelledAgainAndAgain() {
    ManagedChannel channel = serve();
    for (int round = 0; round < 5; round++) {
      givesAllUpAfter(channel, Duration.ofSeconds(2));
    }
    assertOneConnection();
  }

  private void givesAllUpAfter(ManagedChannel channel, Duration time) {
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < AS_MANY_AS_THERE_ARE_STREAMS; i++) {
      calls.add(MadeCall.whole(channel, Texts.UNARY, ""));
    }
    simulation.run();
    simulation.advance(time);
    calls.forEach(call -> call.call().cancel("one has failed"));
    simulation.run();
    held.all().forEach(HeldCall::ends);
    simulation.run();
  }

  @Test
  void callsCancelledWhileTheirHandlersRunCount() {
    ManagedChannel channel = serve();
    for (int i = 0; i < MANY; i++) {
      MadeCall call =
          MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(10)), "");
      simulation.run();
      call.call().cancel("at once");
      simulation.run();
      held.all().getLast().ends();
      simulation.run();
    }
    assertThat(simulation.network().connectAttempts()).isGreaterThan(1);
  }

  @Test
  void aServersLimitDoesNotExcuseEarlyCancellations() {
    simulation.with(Texts.UNARY, held);
    Simulation.start(simulation.serverBuilder().maxCallDuration(Duration.ofSeconds(1)));
    ManagedChannel channel = simulation.channel();
    for (int i = 0; i < MANY; i++) {
      MadeCall call =
          MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(10)), "");
      simulation.run();
      call.call().cancel("at once");
      simulation.run();
    }
    assertThat(simulation.network().connectAttempts()).isGreaterThan(1);
  }
}
