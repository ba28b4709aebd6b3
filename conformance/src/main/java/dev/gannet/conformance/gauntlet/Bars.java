package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The criteria that a server must meet under attack. */
final class Bars {
  private static final double MIN_SHARE_ALONE = 0.95;
  private static final double MIN_SHARE_AMONG_MANY = 0.80;
  private static final long MAX_KEPT_BYTES = 1 << 20;
  private static final Duration MAX_BEGINNING = Duration.ofSeconds(15);

  private Bars() {}

  /** The criteria that the outcome does not meet. */
  static List<Miss> missedBy(Outcome outcome) {
    List<Miss> missed = new ArrayList<>();
    judgeHonest(outcome, missed);
    judgeMemory(outcome.kept(), missed);
    judgeFate(outcome, missed);
    return missed;
  }

  private static void judgeHonest(Outcome outcome, List<Miss> missed) {
    HonestCourse honest = outcome.honest();
    HonestFigures attacked = honest.attacked();
    if (attacked.failures() > 0) {
      missed.add(
          new Miss(
              Bar.ANSWERS,
              attacked.failures() + " honest calls failed: " + attacked.firstFailure()));
    }
    if (!honest.otherFailures().isEmpty()) {
      missed.add(
          new Miss(Bar.ANSWERS, "honest calls failed before or after: " + honest.otherFailures()));
    }
    boolean alone = outcome.attackers() == 1;
    if (honest.throughputShare() < (alone ? MIN_SHARE_ALONE : MIN_SHARE_AMONG_MANY)) {
      missed.add(new Miss(Bar.THROUGHPUT, "throughput " + percent(honest.throughputShare())));
    }
    if (alone) {
      P99.missedBy(honest).ifPresent(missed::add);
    }
  }

  private static void judgeMemory(Kept kept, List<Miss> missed) {
    if (kept.bytesPerConnection() >= MAX_KEPT_BYTES + sampling(kept)) {
      missed.add(
          new Miss(
              Bar.KEPT,
              "keeps %.1f MiB a connection"
                  .formatted(kept.bytesPerConnection() / (double) (1 << 20))));
    }
    if (!kept.isBack()) {
      missed.add(new Miss(Bar.MEMORY_BACK, "memory does not come back"));
    }
  }

  /** With one connection, the noise of the measurement is that of the whole server. */
  private static long sampling(Kept kept) {
    return (4L << 20) / kept.connections();
  }

  private static void judgeFate(Outcome outcome, List<Miss> missed) {
    AttackFigures attack = outcome.attack();
    Fate fate = outcome.description().fate();
    if (attack.opened() == 0) {
      missed.add(new Miss(Bar.FATE, "no attacker was let in, so nothing was measured"));
      return;
    }
    boolean longEnough = outcome.lasted().compareTo(MAX_BEGINNING) >= 0;
    if (fate == Fate.CUT_OFF && attack.ended() == 0) {
      missed.add(new Miss(Bar.FATE, "the attacker is not disconnected"));
    } else if (fate == Fate.TIMED_OUT && attack.ended() == 0 && longEnough) {
      missed.add(new Miss(Bar.FATE, "the attacker is not timed out"));
    }
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
