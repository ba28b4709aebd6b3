package dev.gannet.conformance.gauntlet;

/**
 * A criterion that was not met.
 *
 * @param words by how much, or what has happened
 */
record Miss(Bar bar, String words) {}
