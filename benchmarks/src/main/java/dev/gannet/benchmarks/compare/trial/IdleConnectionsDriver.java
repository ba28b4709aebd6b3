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
import java.util.OptionalLong;

/**
 * Connections that have shaken hands and then do nothing. What the server's resident memory grew
 * by, its garbage collected before and after.
 */
final class IdleConnectionsDriver implements Driver {
  private static final double BYTES_PER_KIB = 1024;

  private final ServerChild server;

  private IdleConnectionsDriver(ServerChild server) {
    this.server = server;
  }

  static IdleConnectionsDriver of(Stage stage, Entrant server)
      throws IOException, InterruptedException {
    return new IdleConnectionsDriver(stage.freshServer(server));
  }

  /** One connection loads the classes and buffers that all others share. */
  @Override
  public double warmUp(Effort effort) throws IOException {
    RawConnection.open(address()).close();
    return 0;
  }

  @Override
  public void offer(double callsPerSecond) {
    throw new UnsupportedOperationException("nothing is called here");
  }

  @Override
  public Round round(Effort effort) throws IOException, InterruptedException {
    int wanted = effort.idle().connections();
    List<RawConnection> open = new ArrayList<>();
    long before = residentBytes();
    try {
      for (int i = 0; i < wanted; i++) {
        open.add(RawConnection.open(address()));
      }
      double grown = Math.max(0, residentBytes() - before);
      return new Round(
          Map.of(Metric.RSS_PER_CONNECTION, grown / BYTES_PER_KIB / wanted), Optional.empty());
    } finally {
      for (RawConnection connection : open) {
        connection.close();
      }
    }
  }

  private long residentBytes() throws InterruptedException {
    server.heapBytes();
    OptionalLong bytes = server.residentBytes();
    return bytes.orElseThrow(
        () -> new RunFailedException("this system does not tell how much memory is resident"));
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  @Override
  public void check() throws InterruptedException {
    server.heapBytes();
  }
}
