package dev.gannet.conformance.gauntlet;

/**
 * The memory that a server holds: before an attack, while attackers hold their connections, and
 * after it.
 *
 * @param connections how many connections the attackers had open meanwhile
 */
record Kept(Memory before, Memory held, Memory after, long connections) {
  /**
   * A difference that does not count as growth: chunks of buffer pools, tables of the JVM, classes.
   */
  private static final long NOISE_BYTES = 8 << 20;

  private static final double NOISE_SHARE = 0.05;

  /** The memory that the server holds for each connection of an attacker. */
  long bytesPerConnection() {
    return Math.max(0, held.bytes() - before.bytes()) / connections;
  }

  boolean isBack() {
    return isBack(before, after);
  }

  /** Whether the memory that the attack has taken is free again. */
  static boolean isBack(Memory before, Memory after) {
    double noise = Math.max(NOISE_BYTES, before.bytes() * NOISE_SHARE);
    return after.bytes() <= before.bytes() + noise;
  }
}
