package dev.gannet.conformance.gauntlet.attack;

import java.io.IOException;

/**
 * A way to harm a server over one connection. Stores nothing between turns; safe for all threads.
 */
public interface Attack {
  /** The most that an attacker sends per second, unless its attack defines another rate. */
  long BYTES_PER_SECOND = 1 << 20;

  /** A description, with the expected end. */
  AttackDescription description();

  /**
   * Attacks until the server ends the connection or {@code front} is over.
   *
   * @throws IOException if the server ends the connection meanwhile
   */
  void attack(Front front) throws IOException;

  /**
   * The most that one attacker sends. It is lower than usual if each byte causes work that even a
   * correct server must do.
   */
  default long bytesPerSecond() {
    return BYTES_PER_SECOND;
  }
}
