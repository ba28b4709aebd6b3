package dev.gannet.conformance.gauntlet;

import java.util.Map;

/**
 * The results of attackers' connections.
 *
 * @param opened how many the server accepted
 * @param ended how many of them the server ended
 * @param sentBytes what was sent over those that are closed
 * @param endings how often it ended them with which text
 */
record AttackFigures(long opened, long ended, long sentBytes, Map<String, Long> endings) {
  /** How many connections the server has neither refused nor ended. */
  long open() {
    return opened - ended;
  }
}
