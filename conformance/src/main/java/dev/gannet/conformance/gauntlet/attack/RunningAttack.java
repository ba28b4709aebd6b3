package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Running attackers, each on a thread of its own. Safe for all threads. */
public final class RunningAttack implements AutoCloseable {
  /** The limit of what all attackers together send, as a multiple of the limit of one. */
  private static final int MAX_PACES = 8;

  /** How often an attacker whose connection was ended reconnects, at most. */
  private static final Duration RECONNECT = Duration.ofMillis(50);

  /** This many attackers may reconnect that often; if there are more, they wait longer. */
  private static final int RECONNECTING = 10;

  private final Tally tally = new Tally();
  private final List<Front> fronts = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private RunningAttack() {}

  /** Starts this number of attackers. */
  public static RunningAttack start(Attack attack, Victim victim, int attackers) {
    RunningAttack assault = new RunningAttack();
    long bytesPerSecond = attack.bytesPerSecond() * Math.min(attackers, MAX_PACES) / attackers;
    long reconnectNanos = RECONNECT.toNanos() * Math.max(attackers, RECONNECTING) / RECONNECTING;
    for (int i = 0; i < attackers; i++) {
      Front front =
          new Front(victim, new Pace(bytesPerSecond), assault.tally, reconnectNanos, attackers);
      assault.fronts.add(front);
      assault.threads.add(Thread.ofVirtual().start(() -> front.attackWith(attack)));
    }
    return assault;
  }

  /** The results of the connections; for those still open, only after the end. */
  public Tally tally() {
    return tally;
  }

  /** Whether an attacker has sent something. */
  public boolean hasSent() {
    return tally.sentBytes() > 0 || fronts.stream().anyMatch(Front::hasSent);
  }

  @Override
  public void close() {
    end();
  }

  /**
   * Ends the attack and waits for its threads; further calls do nothing.
   *
   * @throws IllegalStateException if an attacker has failed because of an error of its own
   */
  public void end() {
    fronts.forEach(Front::close);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tally.check();
  }
}
