package dev.gannet.suites.storm;

import java.util.List;
import java.util.SplittableRandom;

/** The random decisions of a storm. */
final class Odds {
  private final SplittableRandom random;

  Odds(long seed) {
    this(new SplittableRandom(seed));
  }

  private Odds(SplittableRandom random) {
    this.random = random;
  }

  /** A separate random source, so that drawing from it does not change what others draw. */
  Odds split() {
    return new Odds(random.split());
  }

  long seed() {
    return random.nextLong();
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** From 0 to one less than the bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** From 0 nanoseconds to one less than that. */
  long nanosBelow(long bound) {
    return random.nextLong(bound);
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  <T> T oneOf(T[] all) {
    return all[random.nextInt(all.length)];
  }
}
