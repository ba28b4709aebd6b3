package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.util.List;
import java.util.Optional;

/**
 * What is said of one attack on one server.
 *
 * @param outcome nothing if the server did not live to see it
 * @param missed in which ways it was not good enough
 */
record Row(
    ServerKind server,
    Dossier dossier,
    int attackers,
    Optional<Outcome> outcome,
    List<Miss> missed) {
  static Row of(ServerKind server, Outcome outcome) {
    return new Row(
        server,
        outcome.dossier(),
        outcome.attackers(),
        Optional.of(outcome),
        Bars.missedBy(outcome));
  }

  /** Of a server that stopped answering its own machine. */
  static Row ofCollapse(ServerKind server, Dossier dossier, int attackers, String words) {
    return new Row(
        server,
        dossier,
        attackers,
        Optional.empty(),
        List.of(new Miss(Bar.STANDS, "the server fell: " + words)));
  }

  /** Whether no bar is missed for which the server is to blame. */
  boolean isGoodEnough() {
    return missed.stream().allMatch(it -> it.bar() == Bar.P99_OF_MACHINE);
  }
}
