package dev.gannet.conformance.gauntlet;

/**
 * A bar that was missed.
 *
 * @param words by how much, or what has happened
 */
record Miss(Bar bar, String words) {}
