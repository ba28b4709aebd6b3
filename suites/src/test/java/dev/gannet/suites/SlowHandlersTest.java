package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.connection.Http2Stream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Handlers that do not come back keep what they have, and harm nobody else. */
final class SlowHandlersTest {
  private static final int MIB = 1 << 20;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls(0);
  private final Threads threads = new Threads();
  private final MemoryBudget memory = MemoryBudget.ofBytes(1L << 30);

  /** A pool that can be made to stand still. */
  private static final class Threads implements Executor {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;
    private int tasks;

    @Override
    public void execute(Runnable task) {
      tasks++;
      waiting.add(task);
    }

    void work() {
      while (!busy && !waiting.isEmpty()) {
        waiting.remove().run();
      }
    }
  }

  private void serve() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(
        simulation.serverBuilder().dispatch(Dispatch.on(threads)).memoryBudget(memory));
  }

  private void run() {
    do {
      simulation.run();
      threads.work();
      simulation.run();
    } while (!threads.busy && !threads.waiting.isEmpty());
  }

  @Test
  void aUnaryCallIsHandedOverOnce() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(simulation.serverBuilder().dispatch(Dispatch.on(threads)));
    ManagedChannel channel = simulation.channel();
    for (int i = 1; i <= 10; i++) {
      MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
      run();
      assertThat(call.status()).isEqualTo(Status.OK);
      assertThat(threads.tasks).isEqualTo(i);
    }
  }

  @Test
  void aClientIsNotBlamedForSlowHandlers() {
    serve();
    threads.busy = true;
    ManagedChannel channel = simulation.channel();
    for (int i = 0; i < 3_000; i++) {
      MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
      simulation.advance(Duration.ofMillis(10));
    }
    assertThat(simulation.network().connectAttempts()).isOne();
    assertThat(simulation.network().openConnections()).isOne();
    simulation.advance(SECOND);
    threads.busy = false;
    run();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    run();
    held.all().getLast().answers("");
    held.all().getLast().ends();
    run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void unreadMessagesOfEndedCallsAreReleased() {
    serve();
    ObedientClient client = ObedientClient.connect(simulation);
    threads.busy = true;
    for (int i = 0; i < 40; i++) {
      Http2Stream stream = client.opens(Texts.BIDI);
      for (int j = 0; j < 20; j++) {
        client.begins(stream, 50_000, 50_000);
      }
      simulation.run();
      client.resets(stream);
      simulation.run();
    }
    assertThat(memory.heldBytes()).isLessThan(MIB);
    long before = client.bytesSent();
    client.begins(client.opens(Texts.UNARY), 3 * MIB, 3 * MIB);
    simulation.run();
    assertThat(client.bytesSent() - before).isGreaterThan(3 * MIB);
    assertThat(client.isClosed()).isFalse();
  }
}
