package dev.gannet.conformance.gauntlet;

/**
 * What a server kept: before an attack, while attackers hold what they have, and after it.
 *
 * @param connections how many the attackers had open meanwhile
 */
record Kept(Memory before, Memory held, Memory after, long connections) {
  /** What is no growth: chunks of buffer pools, tables of the JVM, classes. */
  private static final long NOISE_BYTES = 8 << 20;

  private static final double NOISE_SHARE = 0.05;

  /** What the server keeps for each connection of an attacker. */
  long bytesPerConnection() {
    return Math.max(0, held.bytes() - before.bytes()) / connections;
  }

  boolean isBack() {
    return isBack(before, after);
  }

  /** Whether what the attack has taken is free again. */
  static boolean isBack(Memory before, Memory after) {
    double noise = Math.max(NOISE_BYTES, before.bytes() * NOISE_SHARE);
    return after.bytes() <= before.bytes() + noise;
  }
}
