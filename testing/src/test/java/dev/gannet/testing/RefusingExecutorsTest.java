package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Calls whose executor takes no more end all the same. */
final class RefusingExecutorsTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls(0);
  private final Closable closable = new Closable();

  /** Runs tasks on the loop until it is shut down. */
  private final class Closable implements Executor {
    private boolean closed;

    @Override
    public void execute(Runnable task) {
      if (closed) {
        throw new RejectedExecutionException("shut down");
      }
      simulation.loop().execute(task);
    }
  }

  private MadeCall callWithAnAnswerThatNobodyAskedFor() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable));
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    return call;
  }

  @Test
  void aClientThatAsksForMessagesIsToldTheRestWhereItAsks() {
    MadeCall call = callWithAnAnswerThatNobodyAskedFor();
    closable.closed = true;
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aClientIsToldOfEachEnd() {
    MadeCall call = callWithAnAnswerThatNobodyAskedFor();
    closable.closed = true;
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aServerThatAsksForMessagesLosesTheCall() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().dispatch(Dispatch.on(closable)));
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says("a");
    simulation.run();
    closable.closed = true;
    held.only().call().request(1);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.heard().closes()).isOne();
  }
}
