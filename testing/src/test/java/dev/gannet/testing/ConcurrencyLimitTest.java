package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server has so many calls of a connection under way at once, and the others wait their turn. */
final class ConcurrencyLimitTest {
  private static final int LIMIT = 100;
  private static final int CALLS = 300;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().maxConcurrentCallsPerConnection(LIMIT));
    channel = simulation.channel();
  }

  private List<MadeCall> makeCalls() {
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(MadeCall.whole(channel, Texts.UNARY, "" + i));
    }
    return calls;
  }

  @Test
  void callsOverTheLimitStartInTheirOrderAsOthersEnd() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT);
    for (int i = 0; i < CALLS; i++) {
      HeldCall served = held.all().get(i);
      served.answers("answer " + i);
      served.ends();
      simulation.run();
      assertThat(held.all()).hasSize(Math.min(CALLS, LIMIT + i + 1));
    }
    assertThat(held.all().stream().map(call -> call.messages().getFirst()))
        .containsExactlyElementsOf(IntStream.range(0, CALLS).mapToObj(String::valueOf).toList());
    assertThat(calls).allMatch(call -> call.status().isOk() && call.heard().closes() == 1);
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void callsThatStartOnAReadyConnectionWaitToo() {
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    List<MadeCall> calls = makeCalls();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT);
    for (int i = 0; i <= CALLS; i++) {
      held.all().get(i).answers("");
      held.all().get(i).ends();
      simulation.run();
    }
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(calls).allMatch(call -> call.status().isOk());
  }

  @Test
  void aCallMayBeCancelledWhileItWaits() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    calls.get(LIMIT).call().cancel("bored");
    simulation.run();
    assertThat(calls.get(LIMIT).code()).isEqualTo(Status.Code.CANCELLED);
    held.all().getFirst().answers("");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT + 1);
    assertThat(held.all().getLast().messages()).containsExactly("" + (LIMIT + 1));
  }

  @Test
  void aCallsDeadlineCountsWhileItWaits() {
    makeCalls();
    MadeCall late =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "late");
    simulation.advance(Duration.ofSeconds(1));
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.all()).hasSize(LIMIT);
  }

  @Test
  void aLostConnectionEndsThoseThatWaitAsWell() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(calls)
        .allMatch(call -> call.code() == Status.Code.UNAVAILABLE && call.heard().closes() == 1);
    assertThat(held.all()).hasSize(LIMIT).allMatch(call -> call.cancels() == 1);
  }

  @Test
  void aCancelledCallWhoseHandlerGoesOnKeepsItsPlace() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    calls.subList(0, 10).forEach(call -> call.call().cancel("bored"));
    simulation.run();
    assertThat(calls.subList(0, 10)).allMatch(call -> call.code() == Status.Code.CANCELLED);
    for (int i = 10; i < held.all().size(); i++) {
      held.all().get(i).answers("");
      held.all().get(i).ends();
      simulation.run();
    }
    assertThat(calls.subList(10, CALLS)).allMatch(call -> call.isClosed());
  }
}
