package dev.gannet.conformance.gauntlet;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The criterion for the p99 of honest calls with one attacker. There are two limits: one relative
 * to the p99 without an attack, and one relative to the p99 while a decoy is attacked, because a
 * server cannot prevent that attackers use the machine. The server is to blame if both are
 * exceeded.
 */
final class P99 {
  /** A p99 below this is always good: the machine itself is not quieter. */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final int MAX_FACTOR = 2;

  private P99() {}

  /** Why the p99 is not good enough, if it is not. */
  static Optional<Miss> missedBy(HonestCourse honest) {
    if (barsMissed(honest) == 0) {
      return Optional.empty();
    }
    Bar bar = blamesServer(honest) ? Bar.P99_OF_SERVER : Bar.P99_OF_MACHINE;
    String control =
        switch (honest.control()) {
          case Control.Beside(HonestFigures beside) ->
              " (with the decoy: %s%s)"
                  .formatted(
                      times(beside, honest.alone()),
                      bar == Bar.P99_OF_SERVER ? ", over that limit as well" : "");
          case Control.Lost(String why) -> " (no control: " + why + ")";
          case Control.None() -> "";
        };
    return Optional.of(new Miss(bar, "p99 " + times(honest.attacked(), honest.alone()) + control));
  }

  /** How many of the two limits it exceeds; without a control it exceeds none or both. */
  static int barsMissed(HonestCourse honest) {
    if (!isOver(honest, honest.alone())) {
      return 0;
    }
    boolean asBeside =
        honest.control() instanceof Control.Beside(HonestFigures beside) && !isOver(honest, beside);
    return asBeside ? 1 : 2;
  }

  /** Whether it exceeds both limits. */
  static boolean blamesServer(HonestCourse honest) {
    return barsMissed(honest) == 2;
  }

  private static boolean isOver(HonestCourse honest, HonestFigures without) {
    long mostNanos = Math.max(QUIET_NANOS, MAX_FACTOR * without.p99Nanos());
    return honest.attacked().p99Nanos() > mostNanos;
  }

  private static String times(HonestFigures honest, HonestFigures alone) {
    return String.format(Locale.ROOT, "%.1f times", (double) honest.p99Nanos() / alone.p99Nanos());
  }
}
