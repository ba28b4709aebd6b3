package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.Dossier;
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
      Dossier dossier = attack.dossier();
      String cves =
          dossier.cves().stream().map(it -> "CVE-" + it).collect(Collectors.joining(", "));
      String fate = dossier.fate().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      out.println(
          "| %s | %s | %s | %s | %s |"
              .formatted(dossier.name(), dossier.section(), cves, dossier.correct(), fate));
    }
    out.flush();
  }
}
