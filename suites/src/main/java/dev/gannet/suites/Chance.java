package dev.gannet.suites;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** All random decisions of a network, from one seed. */
final class Chance {
  /** Pieces have sizes of all scales up to this power of two. */
  private static final int LARGEST_PIECE_BITS = 14;

  private final SplittableRandom random;
  private final SimulatedWire wire;

  Chance(long seed, SimulatedWire wire) {
    this.random = new SplittableRandom(seed);
    this.wire = wire;
  }

  SimulatedWire wire() {
    return wire;
  }

  RandomGenerator random() {
    return random;
  }

  long latencyNanos() {
    long least = wire.leastLatency().toNanos();
    return least + random.nextLong(wire.mostLatency().toNanos() - least + 1);
  }

  /** How many of the available bytes travel together; at least one. */
  int pieceBytes(int atHand) {
    return switch (wire.splits()) {
      case NONE -> atHand;
      case RANDOM ->
          Math.min(atHand, 1 + random.nextInt(1 << random.nextInt(LARGEST_PIECE_BITS + 1)));
    };
  }
}
