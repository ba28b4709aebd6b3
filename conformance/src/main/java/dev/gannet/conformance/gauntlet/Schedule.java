package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier.Fate;
import java.time.Duration;

/**
 * How long what lasts.
 *
 * @param warmUp honest calls to a new server before the first trial
 * @param baseline honest clients alone, at the beginning of a trial
 * @param attackersWarmUp attackers at work, before it counts what honest clients see
 * @param attacked honest clients under attack, and beside a decoy if there is one
 * @param attackedSlowly the same at least, where attackers are slow: they are to be timed out
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

  /** A look, not a measurement. */
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

  /** How long honest clients are watched under an attack that ought to end so. */
  Duration attackedBy(Fate fate) {
    boolean longer = fate == Fate.TIMED_OUT && attackedSlowly.compareTo(attacked) > 0;
    return longer ? attackedSlowly : attacked;
  }
}
