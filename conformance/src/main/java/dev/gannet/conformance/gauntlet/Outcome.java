package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.time.Duration;

/**
 * What a trial has found.
 *
 * @param baseline honest clients alone
 * @param attacked honest clients under attack
 * @param otherFailures what honest clients were told at other times, or nothing
 * @param lasted how long the attackers were there
 */
// Breaks ParameterNumber: one part for each thing that is measured.
record Outcome(
    Dossier dossier,
    int attackers,
    HonestFigures baseline,
    HonestFigures attacked,
    String otherFailures,
    Kept kept,
    AttackFigures attack,
    Duration lasted) {
  /** Which part of the usual answers honest clients got. */
  double throughputShare() {
    return attacked.answersPerSecond() / baseline.answersPerSecond();
  }

  /** What the attackers have sent, in MiB a second. */
  double offeredMibPerSecond() {
    return attack.sentBytes() / (double) lasted.toMillis() * 1000.0 / (1 << 20);
  }
}
