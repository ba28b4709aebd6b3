package dev.gannet.conformance.gauntlet.attack;

import java.io.IOException;

/**
 * A way to hurt a server over one connection. Keeps nothing between turns; safe for all threads.
 */
public interface Attack {
  /** What an attacker sends at most, unless its attack says otherwise. */
  long BYTES_PER_SECOND = 1 << 20;

  /** What it is, and what becomes of it. */
  Dossier dossier();

  /**
   * Attacks until the server ends the connection or {@code front} is over.
   *
   * @throws IOException if the server ends the connection meanwhile
   */
  void attack(Front front) throws IOException;

  /**
   * What one attacker sends at most. Less than usual where each byte is work that even a server
   * that is right must do.
   */
  default long bytesPerSecond() {
    return BYTES_PER_SECOND;
  }
}
