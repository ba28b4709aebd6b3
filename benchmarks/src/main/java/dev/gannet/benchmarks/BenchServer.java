package dev.gannet.benchmarks;

import dev.gannet.api.Dispatch;
import dev.gannet.benchmarks.harness.WrongUsageException;
import dev.gannet.benchmarks.load.BenchmarkHandlers;
import dev.gannet.benchmarks.load.BenchmarkHandlers.Streams;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server for load tests that runs until the process is stopped. */
@Command(
    name = "bench-server",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description =
        "Serves grpc.testing.BenchmarkService until Ctrl-C or SIGTERM; then waits up to five"
            + " seconds for running calls to end.")
final class BenchServer implements Callable<Integer> {
  /** Where handlers run. */
  enum Threads {
    VIRTUAL,
    INLINE,
    POOL;

    Dispatch dispatch() {
      return switch (this) {
        case VIRTUAL -> Dispatch.virtualThreads();
        case INLINE -> Dispatch.inline();
        case POOL ->
            Dispatch.on(
                Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("pool-", 0).factory()));
      };
    }

    Streams streams() {
      return this == VIRTUAL ? Streams.BY_PLAIN_METHODS : Streams.BY_LISTENERS;
    }
  }

  private static final int LARGEST_PORT = 65_535;

  private final PrintWriter out;

  @Option(
      names = "--port",
      required = true,
      paramLabel = "P",
      description = "The port to listen on; 0 chooses a free one.")
  private int port;

  @Option(names = "--address", paramLabel = "A", description = "The local address to listen on.")
  private String host = "127.0.0.1";

  @Option(
      names = "--dispatch",
      paramLabel = "D",
      description =
          "Where handlers run: virtual (virtual threads), inline (the event loop), or pool"
              + " (a cached pool of platform threads).")
  private Threads threads = Threads.VIRTUAL;

  BenchServer(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    InetSocketAddress address = address();
    try (Server server =
        Server.builder(address)
            .plaintext()
            .dispatch(threads.dispatch())
            .add(new BenchmarkHandlers(threads.streams()))
            .start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
      String name = threads.name().toLowerCase(Locale.ROOT);
      out.println("Serving on port " + server.port() + ", dispatch " + name + ".");
      server.awaitTermination();
    }
    return 0;
  }

  private InetSocketAddress address() {
    if (port < 0 || port > LARGEST_PORT) {
      throw new WrongUsageException("--port must be from 0 to " + LARGEST_PORT + ": " + port);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new WrongUsageException("--address names no known address: " + host);
    }
    return address;
  }

  private void stop(Server server) {
    out.println("Stopping: no new calls; running calls have a few seconds to end.");
    server.close();
    out.println("Stopped.");
  }
}
