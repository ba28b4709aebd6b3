package dev.gannet.benchmarks.compare.statistics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The ratio of the costs of two things that took turns: above 1 the second is worse, whatever is
 * measured. For rates the ratio is inverted.
 *
 * @param median the median of what the rounds say, each by itself
 * @param least the best round
 * @param most the worst round
 */
public record Change(double median, double least, double most) {
  /** Whether a change needs attention. */
  public enum Judgement {
    /** The median is not above the limit. */
    WITHIN_LIMIT,
    /** The median is above the limit, but so is the same build in comparison with itself. */
    WITHIN_NOISE,
    /**
     * The median is above the limit, and above every round of the same build in comparison with
     * itself.
     */
    WORSE
  }

  /**
   * The change between rounds of the same index; empty if no round of both has such a figure, or
   * only zeros.
   */
  public static Optional<Change> of(Metric metric, List<Round> from, List<Round> to) {
    List<Double> quotients = new ArrayList<>();
    for (int i = 0; i < Math.min(from.size(), to.size()); i++) {
      double before = from.get(i).figure(metric).orElse(0);
      double after = to.get(i).figure(metric).orElse(0);
      if (before > 0 && after > 0) {
        quotients.add(metric.advantage(after, before));
      }
    }
    if (quotients.isEmpty()) {
      return Optional.empty();
    }
    double median = Medians.median(quotients.stream().mapToDouble(it -> it).toArray());
    return Optional.of(new Change(median, Collections.min(quotients), Collections.max(quotients)));
  }

  /** Judges it by the comparison of the same build with itself. */
  public Judgement judgedBy(double limit, Change control) {
    if (median <= limit) {
      return Judgement.WITHIN_LIMIT;
    }
    return median > control.most ? Judgement.WORSE : Judgement.WITHIN_NOISE;
  }
}
