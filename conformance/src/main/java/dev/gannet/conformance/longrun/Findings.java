package dev.gannet.conformance.longrun;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The output of a long test: progress is printed at once, with the seconds since the start; the
 * rules and whether they held are printed at the end. Safe for all threads.
 */
final class Findings {
  private static final double NANOS_PER_SECOND = 1e9;

  private record Rule(String text, boolean holds, String measured) {}

  private final PrintWriter out;
  private final long beganNanos = System.nanoTime();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();

  Findings(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line of progress. */
  void say(String text) {
    double seconds = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
    out.println(String.format(Locale.ROOT, "%7.1f s  %s", seconds, text)); // which is atomic
    out.flush();
  }

  /** A rule, whether it held, and what was measured. */
  void rule(String text, boolean holds, String measured) {
    rules.add(new Rule(text, holds, measured));
  }

  /** Prints all rules; returns 0 if there is at least one and all of them held, otherwise 1. */
  int conclude() {
    out.println();
    for (Rule rule : rules) {
      out.println((rule.holds() ? "ok    " : "FAIL  ") + rule.text() + ": " + rule.measured());
    }
    boolean passed = !rules.isEmpty() && rules.stream().allMatch(Rule::holds);
    out.println(passed ? "passed" : "FAILED");
    out.flush();
    return passed ? 0 : 1;
  }
}
