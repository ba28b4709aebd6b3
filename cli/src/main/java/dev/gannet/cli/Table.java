package dev.gannet.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * The demo's measurements, in aligned columns: a line for each kind of call.
 *
 * @param elapsed how long calls of each kind were made
 */
record Table(Tallies tallies, Duration elapsed) {
  private static final double NANOS_PER_SECOND = 1e9;

  void printTo(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-18s%10s%12s%12s%12s%9s%n",
        "kind of call",
        "calls",
        "calls/s",
        "p50 ms",
        "p99 ms",
        "errors");
    for (CallKind kind : CallKind.values()) {
      printLine(out, kind.label(), tallies.of(kind));
    }
  }

  private void printLine(PrintWriter out, String label, Tally tally) {
    out.printf(
        Locale.ROOT,
        "%-18s%,10d%,12.0f%12.3f%12.3f%,9d%n",
        label,
        tally.calls(),
        tally.calls() * NANOS_PER_SECOND / elapsed.toNanos(),
        tally.latencyMillis(50),
        tally.latencyMillis(99),
        tally.errors());
  }
}
