package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import java.util.List;
import java.util.Optional;

/**
 * The report's row for one attack on one server.
 *
 * @param runs empty if the server had failed before
 * @param missed the criteria that were not met
 */
record Row(
    ServerKind server,
    AttackDescription description,
    int attackers,
    Optional<Runs> runs,
    List<Miss> missed) {
  static Row of(ServerKind server, Trial trial, Runs runs) {
    return new Row(
        server, trial.description(), trial.attackers(), Optional.of(runs), runs.missed());
  }

  /** The row of a server that stopped answering on its own machine. */
  static Row ofCollapse(
      ServerKind server, AttackDescription description, int attackers, String words) {
    return new Row(
        server,
        description,
        attackers,
        Optional.empty(),
        List.of(new Miss(Bar.STANDS, "the server crashed: " + words)));
  }

  /** Whether all criteria are met, except those for which the server is not to blame. */
  boolean isGoodEnough() {
    return missed.stream().allMatch(it -> it.bar() == Bar.P99_OF_MACHINE);
  }
}
