package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import java.time.Duration;

/**
 * The durations of a trial's phases.
 *
 * @param warmUp honest calls to a new server before the first trial
 * @param baseline honest clients alone, at the beginning of a trial
 * @param attackersWarmUp the attack, before honest clients are measured
 * @param attacked honest clients under attack, and during the attack on a decoy if there is one
 * @param attackedSlowly the minimum of {@code attacked} for slow attackers, which must be timed out
 * @param decoy which trials attack a decoy first
 */
record Schedule(
    Duration warmUp,
    Duration baseline,
    Duration attackersWarmUp,
    Duration attacked,
    Duration attackedSlowly,
    Decoy decoy) {
  /** Which trials attack a decoy first. */
  enum Decoy {
    NONE,
    /** Only trials with one attacker. */
    FOR_ONE,
    FOR_ALL
  }

  static final Schedule WHOLE =
      new Schedule(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofSeconds(4),
          Duration.ofSeconds(20),
          Duration.ofSeconds(15),
          Decoy.FOR_ONE);

  /** For a check, not a measurement. */
  static final Schedule QUICK =
      new Schedule(
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ZERO,
          Duration.ofSeconds(3),
          Duration.ZERO,
          Decoy.NONE);

  Schedule withAttacked(Duration duration) {
    return new Schedule(warmUp, baseline, attackersWarmUp, duration, attackedSlowly, decoy);
  }

  Schedule withDecoyForAll() {
    return new Schedule(warmUp, baseline, attackersWarmUp, attacked, attackedSlowly, Decoy.FOR_ALL);
  }

  /** Whether a trial with so many attackers attacks a decoy first. */
  boolean wantsDecoy(int attackers) {
    return switch (decoy) {
      case NONE -> false;
      case FOR_ONE -> attackers == 1;
      case FOR_ALL -> true;
    };
  }

  /** How long honest clients are measured under an attack with that expected end. */
  Duration attackedBy(Fate fate) {
    boolean longer = fate == Fate.TIMED_OUT && attackedSlowly.compareTo(attacked) > 0;
    return longer ? attackedSlowly : attacked;
  }
}
