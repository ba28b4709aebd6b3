package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier.Fate;
import java.time.Duration;

/**
 * The durations of a trial's phases.
 *
 * @param warmUp honest calls to a new server before the first trial
 * @param baseline honest clients alone, at the beginning of a trial
 * @param attackersWarmUp the attack, before honest clients are measured
 * @param attacked honest clients under attack, and during the attack on a decoy if there is one
 * @param attackedSlowly the minimum of {@code attacked} for slow attackers, which must be timed out
 * @param decoy whether trials with one attacker attack a decoy first
 */
record Schedule(
    Duration warmUp,
    Duration baseline,
    Duration attackersWarmUp,
    Duration attacked,
    Duration attackedSlowly,
    boolean decoy) {
  static final Schedule WHOLE =
      new Schedule(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofSeconds(4),
          Duration.ofSeconds(20),
          Duration.ofSeconds(15),
          true);

  /** For a check, not a measurement. */
  static final Schedule QUICK =
      new Schedule(
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ZERO,
          Duration.ofSeconds(3),
          Duration.ZERO,
          false);

  Schedule withAttacked(Duration duration) {
    return new Schedule(warmUp, baseline, attackersWarmUp, duration, attackedSlowly, decoy);
  }

  /** How long honest clients are measured under an attack with that expected end. */
  Duration attackedBy(Fate fate) {
    boolean longer = fate == Fate.TIMED_OUT && attackedSlowly.compareTo(attacked) > 0;
    return longer ? attackedSlowly : attacked;
  }
}
