package dev.gannet.benchmarks.compare.report;

import dev.gannet.benchmarks.compare.trial.Result;
import java.time.Instant;
import java.util.List;

/**
 * The complete report of a run.
 *
 * @param notes what a reader must know of how it was measured
 * @param holes the missing programs
 */
public record Report(
    Instant begun, Context context, List<Result> results, List<String> notes, List<String> holes) {
  /**
   * The circumstances of a run.
   *
   * @param command as it was given
   * @param effort how long everything was done, in words
   * @param versions of the libraries that took part
   * @param jvm the options of every JVM
   */
  public record Context(
      Machine machine, String command, String effort, List<String> versions, List<String> jvm) {}

  public Report {
    results = List.copyOf(results);
    notes = List.copyOf(notes);
    holes = List.copyOf(holes);
  }

  /** All failures; if there is one, the run has failed. */
  public List<String> failures() {
    return results.stream().flatMap(it -> it.failures().stream()).toList();
  }
}
