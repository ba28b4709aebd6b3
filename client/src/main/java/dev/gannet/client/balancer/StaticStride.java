package dev.gannet.client.balancer;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Schedules turns in proportion to weights, evenly distributed: the "static stride" algorithm of
 * all gRPC libraries (gRFC A58). Safe for all threads.
 */
final class StaticStride {
  private static final int LARGEST = 65_535;

  /**
   * Larger weights are reduced to this multiple of the mean: one server must not get nearly all
   * calls.
   */
  private static final int MAX_MEAN_FACTOR = 10;

  /**
   * Smaller weights are raised to this fraction of the mean: a server must get calls to send
   * reports.
   */
  private static final double MIN_MEAN_FACTOR = 0.01;

  private static final int SPREAD = 32_767;

  private final int[] weights;
  private final AtomicInteger sequence;

  /**
   * A schedule with these weights; at least two of them are positive.
   *
   * @param weights not negative; 0 means the mean of the others
   * @param sequence the number of turns so far, which continues from schedule to schedule
   */
  StaticStride(double[] weights, AtomicInteger sequence) {
    this.weights = scaled(weights);
    this.sequence = sequence;
  }

  private static int[] scaled(double[] weights) {
    double mean = Arrays.stream(weights).filter(it -> it > 0).average().orElse(1);
    double most = Math.min(Arrays.stream(weights).max().orElse(1), MAX_MEAN_FACTOR * mean);
    double scale = LARGEST / most;
    long ofMean = Math.round(scale * mean);
    long least = Math.max(1, Math.round(ofMean * MIN_MEAN_FACTOR));
    return Arrays.stream(weights)
        .mapToLong(it -> it == 0 ? ofMean : Math.max(Math.round(scale * Math.min(it, most)), least))
        .mapToInt(it -> (int) Math.min(it, LARGEST))
        .toArray();
  }

  /** The next turn. */
  int next() {
    while (true) {
      long turn = Integer.toUnsignedLong(sequence.getAndIncrement());
      int index = (int) (turn % weights.length);
      long generation = turn / weights.length;
      long weight = weights[index];
      if ((weight * generation + (long) index * SPREAD) % LARGEST >= LARGEST - weight) {
        return index;
      }
    }
  }
}
