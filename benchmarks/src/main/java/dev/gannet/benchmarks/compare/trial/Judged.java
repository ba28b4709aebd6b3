package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Metric;
import java.util.List;

/** The side of the working tree that is judged; its peers are the baseline's. */
public enum Judged {
  SERVER_INLINE("server, inline"),
  SERVER_VIRTUAL("server, virtual"),
  CLIENT("client");

  private static final List<Metric> OF_SERVERS =
      List.of(
          Metric.SERVER_CPU,
          Metric.SERVER_BYTES,
          Metric.CALLS_PER_SECOND,
          Metric.P50,
          Metric.P99,
          Metric.RSS_PER_CONNECTION,
          Metric.SERVER_HEAP_PER_CONNECTION,
          Metric.SERVER_HEAP_PER_STREAM);
  private static final List<Metric> OF_CLIENTS =
      List.of(
          Metric.CLIENT_CPU,
          Metric.CLIENT_BYTES,
          Metric.CALLS_PER_SECOND,
          Metric.P50,
          Metric.P99,
          Metric.CLIENT_HEAP_PER_STREAM,
          Metric.FIRST_CALL);

  private final String title;

  Judged(String title) {
    this.title = title;
  }

  /** As text. */
  public String title() {
    return title;
  }

  /** The metrics of this side, if the workload has them. */
  public List<Metric> metrics() {
    return switch (this) {
      case SERVER_INLINE, SERVER_VIRTUAL -> OF_SERVERS;
      case CLIENT -> OF_CLIENTS;
    };
  }

  /**
   * Whether a limit applies. Not to a p99, which says too little on a busy machine; nor to resident
   * memory, in which the pages that young collections happened to touch outweigh the connections.
   */
  public static boolean isLimited(Metric metric) {
    return metric != Metric.P99 && metric != Metric.RSS_PER_CONNECTION;
  }
}
