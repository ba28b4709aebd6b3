package dev.gannet.conformance.gauntlet;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How many trials on one server met all criteria, and how many missed which, as Markdown. */
final class Summary {
  private Summary() {}

  static void print(PrintWriter out, ServerKind server, List<Row> rows) {
    out.println();
    out.println("| of " + rows.size() + " trials | " + server.title() + " |");
    out.println("|---|---|");
    print(out, "all criteria met", rows, Set::isEmpty);
    for (Bar bar : Bar.values()) {
      if (bar.isOfP99()) {
        print(out, "only " + bar.broken(), rows, Set.of(bar)::equals);
      } else {
        print(out, bar.broken(), rows, it -> it.contains(bar));
      }
    }
    out.flush();
  }

  private static void print(
      PrintWriter out, String what, List<Row> rows, Predicate<Set<Bar>> missed) {
    long count = rows.stream().filter(it -> missed.test(barsMissedBy(it))).count();
    out.println("| " + what + " | " + count + " |");
  }

  private static Set<Bar> barsMissedBy(Row row) {
    return row.missed().stream().map(Miss::bar).collect(Collectors.toSet());
  }
}
