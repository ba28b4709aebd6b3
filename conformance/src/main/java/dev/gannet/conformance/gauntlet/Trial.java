package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One attack on one server by so many attackers: honest clients alone, then under attack, then
 * alone again. Of one thread.
 */
final class Trial {
  /** How soon what an attack has taken must be free again. */
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  private final Attack attack;
  private final int attackers;
  private final Duration baseline;
  private final Duration attacked;

  Trial(Attack attack, int attackers, Duration baseline, Duration attacked) {
    this.attack = attack;
    this.attackers = attackers;
    this.baseline = baseline;
    this.attacked = attacked;
  }

  Dossier dossier() {
    return attack.dossier();
  }

  int attackers() {
    return attackers;
  }

  /**
   * Runs it against a server that honest clients already call.
   *
   * @throws IOException if the server or a helper of the measurement is gone
   */
  Outcome run(ServerProgram server, HonestLoad load) throws IOException, InterruptedException {
    HonestPhase alone = load.enter();
    sleep(baseline);
    HonestPhase between = load.enter();
    HonestFigures before = alone.figures();
    Memory first = server.memory();

    HonestPhase hit;
    HonestPhase hold;
    Memory held;
    AttackFigures standing;
    AttackFigures attackersFate;
    long beginNanos = System.nanoTime();
    try (AttackProgram program = AttackProgram.start(attack, attackers, server)) {
      hit = load.enter();
      sleep(attacked);
      hold = load.enter();
      standing = program.ask();
      held = server.memory();
      attackersFate = program.finish();
    }
    Duration lasted = Duration.ofNanos(System.nanoTime() - beginNanos);
    HonestPhase after = load.enter();
    Memory last = recover(server, first);
    load.enter();
    return new Outcome(
        attack.dossier(),
        attackers,
        before,
        hit.figures(),
        failures(between.figures(), hold.figures(), after.figures()),
        new Kept(first, held, last, Math.max(attackers, standing.open())),
        attackersFate,
        lasted);
  }

  private static Memory recover(ServerProgram server, Memory first)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + RECOVERY.toNanos();
    Memory last = server.memory();
    while (!Kept.isBack(first, last) && endNanos - System.nanoTime() > 0) {
      sleep(BETWEEN_LOOKS);
      last = server.memory();
    }
    return last;
  }

  private static String failures(HonestFigures... phases) {
    StringBuilder failures = new StringBuilder();
    for (HonestFigures phase : phases) {
      if (phase.failures() > 0) {
        failures.append(phase.failures()).append(" x ").append(phase.firstFailure()).append("; ");
      }
    }
    return failures.toString();
  }

  private static void sleep(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }
}
