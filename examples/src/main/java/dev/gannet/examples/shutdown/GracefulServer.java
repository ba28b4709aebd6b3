package dev.gannet.examples.shutdown;

import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.server.Server;
import java.io.IOException;
import java.time.Duration;

/** Serves the greeter until the process is told to stop (SIGTERM), and then stops gracefully. */
public final class GracefulServer {
  private static final int PORT = 50_051;

  /**
   * How long calls may continue; shorter than the time after which the platform kills the process.
   */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private GracefulServer() {}

  /**
   * Runs it.
   *
   * @throws IOException if the port is in use
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Server server = Server.builder(PORT).plaintext().add(new MyGreeter()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, GRACE)));
    System.out.println("serving on port " + server.port());
    server.awaitTermination();
  }

  /**
   * Accepts no more calls, lets running calls end, and cancels the remaining ones after this time.
   * Clients are notified (GOAWAY) at once: their next calls go to another server, and none is lost.
   */
  static void stop(Server server, Duration grace) {
    server.shutdown();
    try {
      if (!server.awaitTermination(grace)) {
        server.shutdownNow(); // interrupts handlers on virtual threads
        server.awaitTermination(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
