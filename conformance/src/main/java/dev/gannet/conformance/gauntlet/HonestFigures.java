package dev.gannet.conformance.gauntlet;

/**
 * How honest clients have fared for a while.
 *
 * @param answersPerSecond calls that were answered well while it lasted
 * @param failures calls that were not, or not soon enough
 * @param firstFailure what the first of them was told, or nothing
 * @param medianNanos half of the answers took at most this long
 * @param p99Nanos and 99 in a hundred this long
 */
record HonestFigures(
    double answersPerSecond, long failures, String firstFailure, long medianNanos, long p99Nanos) {}
