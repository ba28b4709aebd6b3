package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.time.Duration;

/**
 * What a trial has found.
 *
 * @param lasted how long the attackers were there
 */
record Outcome(
    Dossier dossier,
    int attackers,
    HonestCourse honest,
    Kept kept,
    AttackFigures attack,
    Duration lasted) {
  /** What the attackers have sent, in MiB a second. */
  double offeredMibPerSecond() {
    return attack.sentBytes() / (double) lasted.toMillis() * 1000.0 / (1 << 20);
  }
}
