package dev.gannet.examples.shutdown;

import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.server.Server;
import java.io.IOException;
import java.time.Duration;

/** Serves the greeter until the process is told to stop (SIGTERM), and then ends without haste. */
public final class GracefulServer {
  private static final int PORT = 50_051;

  /** How long calls may go on; below what the platform waits before it kills the process. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private GracefulServer() {}

  /**
   * Runs it.
   *
   * @throws IOException if the port is in use
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Server server = Server.builder(PORT).add(new MyGreeter()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, GRACE)));
    System.out.println("serving on port " + server.port());
    server.awaitTermination();
  }

  /**
   * Accepts no more calls, lets those under way end, and cancels what is left after that time.
   * Clients are told to go away (GOAWAY) at once: their next calls go to another server, and are
   * not lost.
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
