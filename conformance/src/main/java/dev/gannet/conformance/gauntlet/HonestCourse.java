package dev.gannet.conformance.gauntlet;

/**
 * What honest clients experienced during a trial.
 *
 * @param alone before the attack
 * @param control while a decoy was attacked
 * @param attacked under attack
 * @param otherFailures the failures at other times, or an empty text
 */
record HonestCourse(
    HonestFigures alone, Control control, HonestFigures attacked, String otherFailures) {
  /** The rate of answers under attack, as a part of the usual rate. */
  double throughputShare() {
    return attacked.answersPerSecond() / alone.answersPerSecond();
  }
}
