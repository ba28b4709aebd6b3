package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import java.time.Duration;
import java.util.Map;

/** What trials may have found. */
final class Outcomes {
  static final long MIB = 1 << 20;
  static final Duration LONG_ENOUGH = Duration.ofSeconds(20);
  static final Kept NOTHING = kept(100, 100, 100, 1);
  static final AttackFigures CUT_OFF =
      new AttackFigures(3, 3, MIB, Map.of("ENHANCE_YOUR_CALM", 3L));
  static final AttackFigures TOLERATED = new AttackFigures(1, 0, MIB, Map.of());

  private static final double NANOS_PER_MILLI = 1e6;

  private Outcomes() {}

  static AttackDescription pingFlood() {
    return description("ping-flood");
  }

  static AttackDescription description(String attack) {
    return Attacks.named(attack).orElseThrow().description();
  }

  /** Of 2,000 calls a second, which are all answered. */
  static HonestFigures p99(double millis) {
    return honest(2_000, 0, millis);
  }

  static HonestFigures honest(double answersPerSecond, long failures, double p99Millis) {
    long p99Nanos = (long) (p99Millis * NANOS_PER_MILLI);
    return new HonestFigures(answersPerSecond, failures, "", p99Nanos / 10, p99Nanos);
  }

  static Control beside(double p99Millis) {
    return new Control.Beside(p99(p99Millis));
  }

  /** Of calls that never failed, with these p99 in milliseconds. */
  static HonestCourse course(double alone, Control control, double attacked) {
    return new HonestCourse(p99(alone), control, p99(attacked), "");
  }

  /** Of one attacker that is cut off. */
  static Outcome outcome(HonestCourse honest) {
    return new Outcome(pingFlood(), 1, honest, NOTHING, CUT_OFF, LONG_ENOUGH);
  }

  static Kept kept(long before, long held, long after, int connections) {
    return new Kept(memory(before), memory(held), memory(after), connections);
  }

  private static Memory memory(long mib) {
    return new Memory(mib * MIB, 0);
  }
}
