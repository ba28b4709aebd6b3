package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Metric;
import java.util.List;

/** What of the working tree is judged, while everything it meets is the baseline's. */
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

  /** In words. */
  public String title() {
    return title;
  }

  /** What is looked at, where the workload has it. */
  public List<Metric> metrics() {
    return switch (this) {
      case SERVER_INLINE, SERVER_VIRTUAL -> OF_SERVERS;
      case CLIENT -> OF_CLIENTS;
    };
  }

  /** Whether a limit is put on it; a p99 of a busy machine says too little of two builds. */
  public static boolean isLimited(Metric metric) {
    return metric != Metric.P99;
  }
}
