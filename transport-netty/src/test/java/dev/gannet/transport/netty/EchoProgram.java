package dev.gannet.transport.netty;

import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A server in a process of its own, with little of something. Says where it listens, answers each
 * line that it reads with what it has counted, and says when it has ended of its own accord.
 */
final class EchoProgram {
  private EchoProgram() {}

  public static void main(String[] arguments) throws IOException {
    Server server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .memoryBudget(
                MemoryBudget.ofBytes(
                    1L << 40)) // so that nothing keeps it from running out of memory
            .add(EchoService.definition())
            .start();
    System.out.println("listening on port " + server.port());
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            server.awaitTermination();
            System.out.println("terminated");
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (orders.readLine() != null) {
      System.out.println("accept failures " + server.acceptFailures());
    }
    System.exit(0);
  }
}
