package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Steadiness;
import java.time.Duration;
import java.util.Locale;

/**
 * How long each step takes.
 *
 * @param warmupCalls the number of calls after which a contender is warm
 * @param shortestWarmup the time before which it is not warm in any case
 * @param longestWarmup the time after which it is warm in any case
 * @param settlingRounds the maximum number of further rounds until its rate is steady
 * @param idle the numbers of idle connections, channels and new clients
 */
public record Effort(
    long warmupCalls,
    Duration shortestWarmup,
    Duration longestWarmup,
    int settlingRounds,
    int rounds,
    Duration round,
    Idle idle) {
  /** How much is done in addition to calls. */
  public record Idle(int connections, int channels, int firstCalls) {}

  /** For figures that are published. */
  public static Effort full() {
    return new Effort(
        1_000_000,
        Duration.ofSeconds(15),
        Duration.ofSeconds(60),
        6,
        5,
        Duration.ofSeconds(4),
        new Idle(10_000, 100, 10));
  }

  /** For a quick look. */
  public static Effort quick() {
    return new Effort(
        100_000,
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        6,
        2,
        Duration.ofSeconds(2),
        new Idle(1_000, 30, 3));
  }

  /** For a comparison of two builds, with new processes in each round. */
  public static Effort ofBaseline() {
    return new Effort(
        1_000_000,
        Duration.ofSeconds(12),
        Duration.ofSeconds(15),
        2,
        3,
        Duration.ofMillis(800),
        new Idle(2_000, 20, 5));
  }

  /** The same for a quick look. */
  public static Effort quickOfBaseline() {
    return new Effort(
        300_000,
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        2,
        2,
        Duration.ofMillis(700),
        new Idle(1_000, 30, 3));
  }

  /** The same with other numbers of rounds; zeros change nothing. */
  public Effort with(long calls, int otherRounds, Duration otherRound) {
    return new Effort(
        calls == 0 ? warmupCalls : calls,
        calls == 0 ? shortestWarmup : Duration.ZERO,
        longestWarmup,
        calls == 0 ? settlingRounds : 0,
        otherRounds == 0 ? rounds : otherRounds,
        otherRound.isZero() ? round : otherRound,
        idle);
  }

  /** The number of rounds of each contender in this workload. */
  int roundsOf(Workload workload) {
    return switch (workload.task()) {
      case Workload.Task.Calls calls -> rounds;
      case Workload.Task.IdleConnections connections -> 1;
      case Workload.Task.IdleStreams streams -> 1;
      case Workload.Task.FirstCall first -> idle.firstCalls();
    };
  }

  /** As text. */
  public String description() {
    return String.format(
        Locale.ROOT,
        "Warm after %,d calls and %d s, or after %d s, and up to %d rounds more until two rates in a row are alike;"
            + " then %d rounds of %d ms each, in turns.",
        warmupCalls,
        shortestWarmup.toSeconds(),
        longestWarmup.toSeconds(),
        settlingRounds,
        rounds,
        round.toMillis());
  }

  Steadiness steadiness() {
    return new Steadiness(warmupCalls, shortestWarmup, longestWarmup, settlingRounds);
  }
}
