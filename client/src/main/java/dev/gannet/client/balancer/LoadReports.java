package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import java.util.Optional;

/**
 * Reads servers' reports on their load from the trailers of calls (gRFC A51). Safe for all threads;
 * never blocks, and throws nothing.
 */
@FunctionalInterface
public interface LoadReports {
  /** The report that came with a call's end; empty if none did, or it cannot be read. */
  Optional<LoadReport> in(Metadata trailers);

  /**
   * Reads the trailer {@code endpoint-load-metrics-bin}, which servers of gRPC send. Reports over
   * 64 KiB or with more than 1,000 names are not read.
   */
  static LoadReports ofTrailers() {
    return OrcaReports.INSTANCE;
  }
}
