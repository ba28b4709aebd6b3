package dev.gannet.client.balancer;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says whose turn it is, so that each has turns by its weight, evenly spread: the "static stride"
 * that all gRPC libraries use (gRFC A58). Safe for all threads.
 */
final class StaticStride {
  private static final int LARGEST = 65_535;

  /** Weights above so many times the mean are cut: one server must not get nearly all. */
  private static final int MAX_MEAN_FACTOR = 10;

  /** A weight below that part of the mean counts as that: a server must get calls to report. */
  private static final double MIN_MEAN_FACTOR = 0.01;

  private static final int SPREAD = 32_767;

  private final int[] weights;
  private final AtomicInteger sequence;

  /**
   * With these weights, of which two at least are positive.
   *
   * @param weights not negative; 0 counts as the mean of the others
   * @param sequence the number of turns so far, which goes on from scheduler to scheduler
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

  /** Whose turn it is. */
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
