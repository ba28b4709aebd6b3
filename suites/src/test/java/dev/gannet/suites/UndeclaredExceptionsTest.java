package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Exceptions that Java's compiler would not let through, but those of other languages do. */
final class UndeclaredExceptionsTest {
  private final HeldCalls held = new HeldCalls(0);
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, held).with(Texts.BIDI, held);

  private static void assertUnwritten(MadeCall call) {
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.status().cause()).containsInstanceOf(IOException.class);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aMessageThatCannotBeWrittenEndsOnlyItsOwnCall() {
    simulation.serve();
    ManagedChannel channel = simulation.channel();
    MadeCall unwritten = MadeCall.whole(channel, Texts.UNARY, Texts.UNDECLARED);
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertUnwritten(unwritten);
    held.all().getLast().ends(Status.ABORTED);
    simulation.run();
    assertThat(other.status()).isEqualTo(Status.ABORTED);
  }

  @Test
  void aMessageThatCannotBeWrittenEndsAnOpenCall() {
    simulation.serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThatThrownBy(() -> call.says(Texts.UNDECLARED)).isInstanceOf(StatusException.class);
    simulation.run();
    assertUnwritten(call);
  }
}
