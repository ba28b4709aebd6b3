package dev.gannet.testing;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens, each call ends once and in time, and hears nothing but what was said to it.
 *
 * <p>{@code -Dgannet.seeds=N} tries so many seeds, {@code -Dgannet.seed=S} that one alone.
 */
final class StormTest {
  private static final int SEEDS = 100;

  static LongStream seeds() {
    Long single = Long.getLong("gannet.seed");
    return single == null
        ? LongStream.range(0, Integer.getInteger("gannet.seeds", SEEDS))
        : LongStream.of(single);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachCallOfAStormEndsOnceAndInTime(long seed) {
    try {
      new Storm(seed).run();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + " (again with -Dgannet.seed=" + seed + "): " + e.getMessage(), e);
    }
  }
}
