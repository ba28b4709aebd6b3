package dev.gannet.suites;

import java.time.Duration;

/**
 * The properties of the wires of a {@link SimulatedNetwork}.
 *
 * @param leastLatency the shortest time from one end to the other
 * @param mostLatency the longest; each piece takes a random time between the two, and none
 *     overtakes another
 * @param splits whether what is flushed at once also arrives at once
 * @param capacityBytes how much may be on its way in one direction before the sender is told to
 *     wait; at least 1
 */
public record SimulatedWire(
    Duration leastLatency, Duration mostLatency, Splits splits, int capacityBytes) {
  /** Whether what is flushed at once also arrives at once. */
  public enum Splits {
    /** One flush arrives as one piece. */
    NONE,
    /** A flush arrives in pieces of random sizes, from a single byte upwards. */
    RANDOM
  }

  /** No latency, no splits, 256 KiB on its way: for tests of normal behaviour. */
  public static final SimulatedWire INSTANT =
      new SimulatedWire(Duration.ZERO, Duration.ZERO, Splits.NONE, 256 << 10);

  /** 100 µs to 2 ms, random splits, 64 KiB on its way: for tests of failures. */
  public static final SimulatedWire ROUGH =
      new SimulatedWire(Duration.ofNanos(100_000), Duration.ofMillis(2), Splits.RANDOM, 64 << 10);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a latency is negative, the longest is shorter than the
   *     shortest, or the capacity is not positive
   */
  public SimulatedWire {
    if (leastLatency.isNegative() || mostLatency.compareTo(leastLatency) < 0) {
      throw new IllegalArgumentException("latency: " + leastLatency + " to " + mostLatency);
    }
    if (capacityBytes < 1) {
      throw new IllegalArgumentException("capacityBytes must be positive: " + capacityBytes);
    }
  }

  /** This wire with that fixed latency. */
  public SimulatedWire withLatency(Duration latency) {
    return new SimulatedWire(latency, latency, splits, capacityBytes);
  }

  /** This wire with random latencies in that range. */
  public SimulatedWire withLatency(Duration least, Duration most) {
    return new SimulatedWire(least, most, splits, capacityBytes);
  }

  /** This wire with other splits. */
  public SimulatedWire withSplits(Splits splits) {
    return new SimulatedWire(leastLatency, mostLatency, splits, capacityBytes);
  }

  /** This wire with another capacity in each direction. */
  public SimulatedWire withCapacityBytes(int bytes) {
    return new SimulatedWire(leastLatency, mostLatency, splits, bytes);
  }
}
