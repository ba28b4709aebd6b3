package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connections that have completed the HTTP/2 handshake and then do nothing: the growth of the
 * server's heap and of its resident memory, with a garbage collection before and after; then each
 * connection must answer.
 */
final class IdleConnectionsDriver implements Driver {
  private static final double BYTES_PER_KIB = 1024;
  private static final int FIRST_CONNECTIONS = 10;

  private final Stage stage;
  private final Entrant server;

  IdleConnectionsDriver(Stage stage, Entrant server) {
    this.stage = stage;
    this.server = server;
  }

  @Override
  public Warmth warmUp(Effort effort) {
    return Warmth.NONE;
  }

  @Override
  public void offer(double callsPerSecond) {
    throw new UnsupportedOperationException("nothing is called here");
  }

  /**
   * A server that has had connections before keeps their memory, so each round has a new server.
   */
  @Override
  public Round round(Effort effort) throws IOException, InterruptedException {
    ServerChild serving = stage.freshServer(server);
    try {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), serving.port());
      loadClasses(address);
      int wanted = effort.idle().connections();
      Memory grown = grown(serving, address, wanted);
      serving.used();
      Map<Metric, Double> figures =
          Map.of(
              Metric.RSS_PER_CONNECTION,
              grown.residentBytes / BYTES_PER_KIB / wanted,
              Metric.SERVER_HEAP_PER_CONNECTION,
              (double) grown.heapBytes / wanted);
      return new Round(figures, Optional.empty());
    } finally {
      serving.child().close();
    }
  }

  /** What all connections share exists before they are opened. */
  private static void loadClasses(InetSocketAddress address) throws IOException {
    for (int i = 0; i < FIRST_CONNECTIONS; i++) {
      RawConnection.open(address).close();
    }
  }

  private static Memory grown(ServerChild serving, InetSocketAddress address, int wanted)
      throws IOException, InterruptedException {
    List<RawConnection> open = new ArrayList<>();
    Memory before = Memory.of(serving);
    try {
      for (int i = 0; i < wanted; i++) {
        open.add(RawConnection.open(address));
      }
      Memory grown = Memory.of(serving).since(before);
      for (RawConnection connection : open) {
        connection.check();
      }
      if (grown.heapBytes <= 0 || grown.residentBytes <= 0) {
        throw new RunFailedException(wanted + " connections have not made the server grow");
      }
      return grown;
    } finally {
      for (RawConnection connection : open) {
        connection.close();
      }
    }
  }

  /** What a server has, after a garbage collection. */
  private record Memory(long heapBytes, long residentBytes) {
    static Memory of(ServerChild serving) throws InterruptedException {
      long heapBytes = serving.heapBytes();
      long residentBytes =
          serving
              .residentBytes()
              .orElseThrow(() ->
                  new RunFailedException("this system does not tell how much memory is resident"));
      return new Memory(heapBytes, residentBytes);
    }

    Memory since(Memory before) {
      return new Memory(heapBytes - before.heapBytes, residentBytes - before.residentBytes);
    }
  }

  /** Each round has already checked its server. */
  @Override
  public void check() {}
}
