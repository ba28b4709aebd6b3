package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Steadiness;
import java.time.Duration;
import java.util.Locale;

/**
 * How long everything is done.
 *
 * @param warmupCalls after so many calls a contender is warm
 * @param longestWarmup or after so long
 * @param settlingRounds so many rounds more until its rate is steady
 * @param idle how many connections, channels and fresh clients there are
 */
public record Effort(
    long warmupCalls,
    Duration longestWarmup,
    int settlingRounds,
    int rounds,
    Duration round,
    Idle idle) {
  /** How much is done besides calls. */
  public record Idle(int connections, int channels, int firstCalls) {}

  /** For figures to be quoted. */
  public static Effort full() {
    return new Effort(
        1_000_000, Duration.ofSeconds(60), 6, 5, Duration.ofSeconds(4), new Idle(10_000, 100, 10));
  }

  /** For a look. */
  public static Effort quick() {
    return new Effort(
        100_000, Duration.ofSeconds(3), 6, 2, Duration.ofSeconds(2), new Idle(1_000, 30, 3));
  }

  /** For one build beside another, with fresh processes in each round. */
  public static Effort ofBaseline() {
    return new Effort(
        1_000_000, Duration.ofSeconds(3), 2, 3, Duration.ofMillis(800), new Idle(2_000, 20, 5));
  }

  /** The same for a look. */
  public static Effort quickOfBaseline() {
    return new Effort(
        300_000, Duration.ofSeconds(2), 2, 2, Duration.ofMillis(700), new Idle(1_000, 30, 3));
  }

  /** The same with other rounds; what is given as zero stays. */
  public Effort with(long calls, int otherRounds, Duration otherRound) {
    return new Effort(
        calls == 0 ? warmupCalls : calls,
        longestWarmup,
        calls == 0 ? settlingRounds : 0,
        otherRounds == 0 ? rounds : otherRounds,
        otherRound.isZero() ? round : otherRound,
        idle);
  }

  /** How many rounds each contender takes in that workload. */
  int roundsOf(Workload workload) {
    return switch (workload.task()) {
      case Workload.Task.Calls calls -> rounds;
      case Workload.Task.IdleConnections connections -> 1;
      case Workload.Task.IdleStreams streams -> 1;
      case Workload.Task.FirstCall first -> idle.firstCalls();
    };
  }

  /** In words. */
  public String told() {
    return String.format(
        Locale.ROOT,
        "Warm after %,d calls or %d s, and up to %d rounds more until two rates in a row are alike;"
            + " then %d rounds of %d ms each, in turns.",
        warmupCalls,
        longestWarmup.toSeconds(),
        settlingRounds,
        rounds,
        round.toMillis());
  }

  Steadiness steadiness() {
    return new Steadiness(warmupCalls, longestWarmup, settlingRounds);
  }
}
