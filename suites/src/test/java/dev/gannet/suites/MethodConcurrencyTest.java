package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A method with a limit of concurrent calls refuses further ones, from any client. */
final class MethodConcurrencyTest {
  private final HeldCalls held = new HeldCalls();

  @ParameterizedTest
  @EnumSource(Medium.class)
  void aMethodAtItsLimitRefusesCallsAndTheOthersDoNot(Medium medium) {
    Simulation simulation = new Simulation(medium);
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    String name = Texts.UNARY.fullMethodName();
    Simulation.start(
        simulation
            .serverBuilder()
            .dispatch(Dispatch.inline())
            .methodLimits(name, it -> it.withMaxConcurrentCalls(1)));
    ManagedChannel channel = simulation.channel();

    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    MadeCall second = MadeCall.whole(simulation.channel(), Texts.UNARY, "second");
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThat(held.all()).hasSize(2);
    assertThat(second.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(second.words()).contains(name, "limit of 1 concurrent calls");
    assertThat(other.isClosed()).isFalse();

    first.call().cancel("bored");
    simulation.run();
    MadeCall third = MadeCall.whole(channel, Texts.UNARY, "third");
    simulation.run();
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(third.status()).isEqualTo(Status.OK);
  }
}
