package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.io.IOException;
import java.util.Optional;

/** Puts a workload upon one contender. */
interface Driver {
  /** Makes the contender warm, if that is part of its workload. */
  Warmth warmUp(Effort effort) throws IOException, InterruptedException;

  /** Has the rounds to come offer so many calls per second. */
  void offer(double callsPerSecond);

  /**
   * One round.
   *
   * @throws dev.gannet.benchmarks.harness.RunFailedException if anything at all was not as it
   *     should be
   */
  Round round(Effort effort) throws IOException, InterruptedException;

  /** One round more, in which instructions are counted and nothing else; empty if it cannot. */
  default Optional<Round> count(Effort effort, Perf perf) throws IOException, InterruptedException {
    return Optional.empty();
  }

  /** Sees whether the server still answers as it should, after the last round. */
  void check() throws InterruptedException;
}
