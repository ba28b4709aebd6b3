package dev.gannet.conformance.gauntlet;

/**
 * How honest clients have fared through a trial.
 *
 * @param alone before the attack
 * @param control while a decoy was attacked
 * @param attacked under attack
 * @param otherFailures what they were told at other times, or nothing
 */
record HonestCourse(
    HonestFigures alone, Control control, HonestFigures attacked, String otherFailures) {
  /** Which part of the usual answers they got. */
  double throughputShare() {
    return attacked.answersPerSecond() / alone.answersPerSecond();
  }
}
