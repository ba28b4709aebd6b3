package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.OffLoop;
import dev.gannet.api.engine.WakeUps;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event loop does not wait for the end of a server that needs it to end. */
@Timeout(60)
final class AwaitTerminationTest {
  private static final class Loop extends Thread implements EventLoopThread {
    private final OffLoop offLoop = new OffLoop();
    private final WakeUps wakeUps = new WakeUps(offLoop);

    Loop(Runnable task) {
      super(task, "loop");
      setDaemon(true);
    }

    @Override
    public OffLoop offLoop() {
      return offLoop;
    }

    @Override
    public WakeUps wakeUps() {
      return wakeUps;
    }
  }

  private static Server started() throws IOException {
    return Server.builder(HandTransport.ADDRESS).plaintext().transport(new HandTransport()).start();
  }

  private static Optional<Throwable> thrownOnLoop(Callable<?> task) throws InterruptedException {
    FutureTask<Object> onLoop = new FutureTask<>(task::call);
    new Loop(onLoop).start();
    try {
      onLoop.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(Objects.requireNonNull(e.getCause()));
    }
  }

  private static boolean await(Server server) throws InterruptedException {
    server.awaitTermination();
    return server.isTerminated();
  }

  @Test
  void anEventLoopIsNotBlockedUntilTheServerHasTerminated() throws Exception {
    Server server = started();
    assertThat(thrownOnLoop(() -> await(server)))
        .containsInstanceOf(IllegalStateException.class)
        .map(Throwable::getMessage)
        .hasValue(
            "Server.awaitTermination cannot wait on the event loop thread loop, because that"
                + " thread may have to do what it would wait for: call it on another thread");
    assertThat(thrownOnLoop(() -> server.awaitTermination(Duration.ofNanos(1))))
        .containsInstanceOf(IllegalStateException.class);
    assertThat(thrownOnLoop(() -> server.awaitTermination(Duration.ZERO))).isEmpty();
    server.shutdownNow();
    assertThat(thrownOnLoop(() -> server.awaitTermination(Duration.ofDays(1)))).isEmpty();
    assertThat(thrownOnLoop(() -> await(server))).isEmpty();
  }
}
