package dev.gannet.conformance.gauntlet;

import java.util.Map;

/**
 * What became of attackers' connections.
 *
 * @param opened how many the server took
 * @param ended how many of them the server ended
 * @param sentBytes what went over those that are no more
 * @param endings how often it ended them in which words
 */
record AttackFigures(long opened, long ended, long sentBytes, Map<String, Long> endings) {
  /** Those that the server has neither refused nor ended. */
  long open() {
    return opened - ended;
  }
}
