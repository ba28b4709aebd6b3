package dev.gannet.benchmarks.harness;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The result of a measurement; the client's cost is of the same period. */
public record Figures(Load load, Histogram latencyNanos, Duration elapsed, Cost cost) {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  public void printTo(PrintWriter out) {
    print(out, "Channels", load.channels());
    print(out, "Outstanding RPCs per Channel", load.callsPerChannel());
    print(out, "Server Payload Size", load.payloads().serverBytes());
    print(out, "Client Payload Size", load.payloads().clientBytes());
    printLatency(out, "50%ile", latencyNanos.getValueAtPercentile(50));
    printLatency(out, "90%ile", latencyNanos.getValueAtPercentile(90));
    printLatency(out, "95%ile", latencyNanos.getValueAtPercentile(95));
    printLatency(out, "99%ile", latencyNanos.getValueAtPercentile(99));
    printLatency(out, "99.9%ile", latencyNanos.getValueAtPercentile(99.9));
    printLatency(out, "Maximum", latencyNanos.getMaxValue());
    long calls = latencyNanos.getTotalCount();
    print(out, "QPS", Math.round(calls * NANOS_PER_SECOND / elapsed.toNanos()));
    print(out, "Client CPU per Call (in micros)", cost.cpuNanos() / NANOS_PER_MICRO / calls);
    print(out, "Client Allocation per Call (in bytes)", cost.allocatedBytes() / calls);
  }

  private static void printLatency(PrintWriter out, String which, long nanos) {
    print(out, which + " Latency (in micros)", Math.round(nanos / NANOS_PER_MICRO));
  }

  private static void print(PrintWriter out, String name, long value) {
    out.printf(Locale.ROOT, "%-40s%12d%n", name + ":", value);
  }

  private static void print(PrintWriter out, String name, double value) {
    out.printf(Locale.ROOT, "%-40s%12.2f%n", name + ":", value);
  }
}
