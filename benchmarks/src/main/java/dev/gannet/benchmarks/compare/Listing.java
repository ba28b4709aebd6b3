package dev.gannet.benchmarks.compare;

import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.compare.trial.Roster;
import dev.gannet.benchmarks.compare.trial.Workloads;
import java.io.PrintWriter;
import java.util.List;

/** Lists the implementations and workloads. */
final class Listing {
  private Listing() {}

  static void print(Roster roster, PrintWriter out) {
    out.println("Workloads:");
    Workloads.all().forEach(it -> out.printf("  %-26s%s%n", it.name(), it.description()));
    print("Servers:", roster.servers(), out);
    print("Clients:", roster.clients(), out);
  }

  private static void print(String title, List<Entrant> entrants, PrintWriter out) {
    out.println(title);
    for (Entrant entrant : entrants) {
      String state =
          entrant.source() instanceof Source.Missing(String why) ? "missing: " + why : "here";
      out.printf("  %-26s%s%n", entrant.name(), state);
    }
  }
}
