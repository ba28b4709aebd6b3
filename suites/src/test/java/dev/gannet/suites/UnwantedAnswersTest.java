package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import org.junit.jupiter.api.Test;

/** An answer that nobody has asked for does not come, and keeps none from those who have. */
final class UnwantedAnswersTest {
  private static final int WINDOW_BYTES = 65_535;
  private static final int MORE_THAN_A_CONNECTION_HOLDS = 6 * WINDOW_BYTES;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  @Test
  void aLongUnrequestedResponseDoesNotBlockOtherCalls() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .transportLimits(it -> it.withFlowControlWindows(WINDOW_BYTES, WINDOW_BYTES))
            .build();
    MadeCall unwanted = MadeCall.start(channel, Texts.UNARY).says("");
    simulation.run();
    held.all().getFirst().answers(Texts.ofLength(MORE_THAN_A_CONNECTION_HOLDS));
    held.all().getFirst().ends();
    simulation.run();
    MadeCall wanted = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.all().getLast().answers(Texts.ofLength(WINDOW_BYTES));
    held.all().getLast().ends();
    simulation.run();
    assertThat(wanted.isClosed()).isTrue();
    assertThat(wanted.messages()).hasSize(1);
    unwanted.wants(1);
    simulation.run();
    assertThat(unwanted.messages()).containsExactly(Texts.ofLength(MORE_THAN_A_CONNECTION_HOLDS));
  }
}
