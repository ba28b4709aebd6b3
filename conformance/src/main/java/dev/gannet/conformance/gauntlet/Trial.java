package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One attack on one server with a number of attackers: honest clients alone, then during the same
 * attack on a decoy if there is one, then under attack, then alone again. Confined to one thread.
 */
final class Trial {
  private final Attack attack;
  private final int attackers;
  private final Schedule schedule;

  Trial(Attack attack, int attackers, Schedule schedule) {
    this.attack = attack;
    this.attackers = attackers;
    this.schedule = schedule;
  }

  AttackDescription description() {
    return attack.description();
  }

  int attackers() {
    return attackers;
  }

  /** Whether it must be run with a decoy. */
  boolean wantsDecoy() {
    return schedule.wantsDecoy(attackers);
  }

  /**
   * Runs it against a server that honest clients already call.
   *
   * @throws IOException if the server or a program of the measurement has failed
   */
  Outcome run(ServerProgram server, HonestLoad load, Optional<ServerProgram> decoy)
      throws IOException, InterruptedException {
    HonestWatch watch = new HonestWatch(load);
    HonestPhase alone = watch.enter();
    sleep(schedule.baseline());
    watch.enter();
    HonestFigures before = alone.figures();
    Control control = decoy.isPresent() ? control(decoy.get(), watch) : new Control.None();
    Memory first = server.memory();

    HonestPhase hit;
    Memory held;
    AttackFigures standing;
    AttackFigures attackersFate;
    long beginNanos = System.nanoTime();
    try (AttackProgram program = AttackProgram.start(attack, attackers, server)) {
      sleep(schedule.attackersWarmUp());
      hit = watch.enter();
      sleep(attacked());
      watch.enter();
      standing = program.ask();
      held = server.memory();
      attackersFate = program.finish();
    }
    Duration lasted = Duration.ofNanos(System.nanoTime() - beginNanos);
    watch.enter();
    Memory last = server.recovered(first);
    watch.leave();
    return new Outcome(
        attack.description(),
        attackers,
        new HonestCourse(before, control, hit.figures(), watch.failuresBut(hit)),
        new Kept(first, held, last, Math.max(attackers, standing.open())),
        attackersFate,
        lasted);
  }

  /** The same attack on the decoy; a decoy that does not recover is not used any more. */
  private Control control(ServerProgram decoy, HonestWatch watch) throws InterruptedException {
    try {
      Memory first = decoy.memory();
      HonestPhase beside;
      try (AttackProgram program = AttackProgram.start(attack, attackers, decoy)) {
        sleep(schedule.attackersWarmUp());
        beside = watch.enter();
        sleep(attacked());
        watch.enter();
        program.finish();
      }
      if (!Kept.isBack(first, decoy.recovered(first))) {
        decoy.close(); // otherwise its remaining work would be blamed on the server
      }
      return new Control.Beside(beside.figures());
    } catch (IOException e) {
      String why = decoy.isAlive() ? e.toString() : "the decoy crashed";
      decoy.close();
      return new Control.Lost(why);
    }
  }

  private Duration attacked() {
    return schedule.attackedBy(attack.description().fate());
  }

  private static void sleep(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }
}
