package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import java.time.Duration;

/**
 * The results of a trial.
 *
 * @param lasted how long the attack lasted
 */
record Outcome(
    AttackDescription description,
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
