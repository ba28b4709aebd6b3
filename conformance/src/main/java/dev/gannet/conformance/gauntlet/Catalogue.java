package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The list of attacks, as Markdown. */
final class Catalogue {
  private Catalogue() {}

  static void print(List<Attack> attacks, PrintWriter out) {
    out.println("| attack | rule | CVE | a correct server | the connection is |");
    out.println("|---|---|---|---|---|");
    for (Attack attack : attacks) {
      AttackDescription description = attack.description();
      String cves =
          description.cves().stream().map(it -> "CVE-" + it).collect(Collectors.joining(", "));
      String fate = description.fate().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      out.println(
          "| %s | %s | %s | %s | %s |"
              .formatted(
                  description.name(), description.section(), cves, description.correct(), fate));
    }
    out.flush();
  }
}
