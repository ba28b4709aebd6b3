package dev.gannet.services;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerObserver;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What SIGTERM does to a process whose server was built to close on it. */
@Timeout(60)
final class SigtermTest {
  /** The process: says its port, and when a call has come; answers once it is told to end. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      CompletableFuture<Void> shutDown = new CompletableFuture<>();
      Shelves patient =
          new Shelves() {
            @Override
            public Shelf put(Book book) {
              System.out.println("called");
              shutDown.join();
              return Shelf.newBuilder().setRow(9).build();
            }
          };
      Server server =
          Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .add(patient)
              .closeGrace(Duration.ofSeconds(20))
              .closeOnSigterm()
              .observe(
                  new ServerObserver() {
                    @Override
                    public void onDrain(Server draining) {
                      shutDown.complete(null);
                    }
                  })
              .start();
      System.out.println(server.port());
      server.awaitTermination();
    }
  }

  @Test
  void callsUnderWayEndBeforeTheProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Program.class.getName()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var lines = process.inputReader(UTF_8)) {
      int port = Integer.parseInt(lines.readLine());
      try (ManagedChannel channel = ManagedChannel.builder("127.0.0.1", port).plaintext().build()) {
        CompletableFuture<Integer> row =
            CompletableFuture.supplyAsync(
                () -> ShelvesClient.of(channel).put(Book.getDefaultInstance()).getRow());
        assertThat(lines.readLine()).isEqualTo("called");

        process.toHandle().destroy(); // Process.destroy would close what we read

        assertThat(row.get()).isEqualTo(9);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
