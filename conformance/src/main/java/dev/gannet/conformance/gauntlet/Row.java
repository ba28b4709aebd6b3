package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.util.List;
import java.util.Optional;

/**
 * What is said of one attack on one server.
 *
 * @param runs nothing if the server did not live to see it
 * @param missed in which ways it was not good enough
 */
record Row(
    ServerKind server, Dossier dossier, int attackers, Optional<Runs> runs, List<Miss> missed) {
  static Row of(ServerKind server, Trial trial, Runs runs) {
    return new Row(server, trial.dossier(), trial.attackers(), Optional.of(runs), runs.missed());
  }

  /** Of a server that stopped answering its own machine. */
  static Row ofCollapse(ServerKind server, Dossier dossier, int attackers, String words) {
    return new Row(
        server,
        dossier,
        attackers,
        Optional.empty(),
        List.of(new Miss(Bar.STANDS, "the server crashed: " + words)));
  }

  /** Whether no bar is missed for which the server is to blame. */
  boolean isGoodEnough() {
    return missed.stream().allMatch(it -> it.bar() == Bar.P99_OF_MACHINE);
  }
}
