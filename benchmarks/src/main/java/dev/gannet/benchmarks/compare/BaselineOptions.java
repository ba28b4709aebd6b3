package dev.gannet.benchmarks.compare;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a comparison with an earlier commit of Gannet. */
final class BaselineOptions {
  /** The allowed increase of each workload's cost. */
  private static final double USUAL_LIMIT = 1.05;

  @Option(
      names = "--baseline",
      paramLabel = "REF",
      description =
          "Compares the working tree with that commit of this repository instead, and that"
              + " commit with itself to show the noise. The commit is built once, in"
              + " .gannet/baselines.")
  private @Nullable String ref;

  @Option(
      names = "--fail-above",
      paramLabel = "X",
      description =
          "With --baseline: exits with 1 if anything costs more than X times the baseline in"
              + " the median, and more than in any round of the baseline compared with itself."
              + " Tables mark values above 1.05 if this option is not given.")
  private @Nullable Double failAbove;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description = "With --baseline: also writes the tables into this file.")
  private @Nullable Path table;

  @Option(
      names = "--repository",
      paramLabel = "DIR",
      description = "The root of the git repository; set by the launcher.")
  private Path repository = Path.of("");

  Optional<String> ref() {
    return Optional.ofNullable(ref);
  }

  /** The ratio above which a median is marked as worse. */
  double limit() {
    return failAbove == null ? USUAL_LIMIT : failAbove;
  }

  boolean failsAboveLimit() {
    return failAbove != null;
  }

  Optional<Path> table() {
    return Optional.ofNullable(table);
  }

  Path repository() {
    return repository.toAbsolutePath();
  }

  /** Whether an option is present that requires a baseline. */
  boolean isHalfGiven() {
    return ref == null && (failAbove != null || table != null);
  }
}
