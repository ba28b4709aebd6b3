package dev.gannet.examples.greeter;

import dev.gannet.server.Server;
import java.io.IOException;

/** Serves the greeter on port 50051 until it is stopped. */
public final class GreeterServer {
  private static final int PORT = 50_051;

  private GreeterServer() {}

  /**
   * Runs it.
   *
   * @throws IOException if the port is in use
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Server server = Server.builder(PORT).plaintext().add(new MyGreeter()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    System.out.println("serving on port " + server.port());
    server.awaitTermination();
  }
}
