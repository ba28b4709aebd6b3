package dev.gannet.conformance.gauntlet;

/**
 * What honest clients experienced in one phase.
 *
 * @param answersPerSecond the rate of correct answers
 * @param failures calls that failed or took too long
 * @param firstFailure the text of the first failure, or an empty text
 * @param medianNanos half of the answers took at most this long
 * @param p99Nanos 99 of 100 answers took at most this long
 */
record HonestFigures(
    double answersPerSecond, long failures, String firstFailure, long medianNanos, long p99Nanos) {}
