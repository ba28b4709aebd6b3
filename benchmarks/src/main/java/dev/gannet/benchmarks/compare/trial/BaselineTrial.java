package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.statistics.Turns;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs a comparison. In each round every pair has new processes, because the JIT compiler's result
 * for the same classes differs between processes by more than the changes that are to be found. All
 * are warmed up, and take turns; a round's figure is the median of its turns.
 */
public final class BaselineTrial {
  /** Starts the processes of a pair. */
  @FunctionalInterface
  interface Starter {
    Driver start(Stage stage, BaselineComparison.Pair pair)
        throws IOException, InterruptedException;
  }

  /** How often each pair is measured in a round of calls. */
  public static final int TURNS = 3;

  private final Workload workload;
  private final Effort effort;
  private final Certificate certificate;
  private final Consumer<String> progress;
  private final Starter starter;

  /** For pairs whose h2load checker is the baseline's client, too. */
  public BaselineTrial(
      Workload workload,
      Effort effort,
      Certificate certificate,
      GannetBuild baseline,
      Consumer<String> progress) {
    this(
        workload,
        effort,
        certificate,
        progress,
        (stage, pair) ->
            Driver.of(stage, pair.server(), pair.client(), baseline.client("baseline")));
  }

  BaselineTrial(
      Workload workload,
      Effort effort,
      Certificate certificate,
      Consumer<String> progress,
      Starter starter) {
    this.workload = workload;
    this.effort = effort;
    this.certificate = certificate;
    this.progress = progress;
    this.starter = starter;
  }

  /**
   * Runs all its rounds.
   *
   * @throws RunFailedException if anything at all went wrong; the message names the pair
   */
  public BaselineFindings run(BaselineComparison comparison) throws InterruptedException {
    Map<BaselineComparison.Pair, List<Round>> rounds = new LinkedHashMap<>();
    for (int i = 0; i < effort.rounds(); i++) {
      try (Stage stage = new Stage(workload, certificate)) {
        round(stage, comparison, i)
            .forEach(
                (pair, round) -> rounds.computeIfAbsent(pair, it -> new ArrayList<>()).add(round));
      }
      progress.accept(
          "%s, %s: round %d of %d"
              .formatted(workload.name(), describe(comparison), i + 1, effort.rounds()));
    }
    return new BaselineFindings(comparison, rounds);
  }

  private static String describe(BaselineComparison comparison) {
    return String.join(" and ", comparison.judged().keySet().stream().map(Judged::title).toList());
  }

  private Map<BaselineComparison.Pair, Round> round(
      Stage stage, BaselineComparison comparison, int index) throws InterruptedException {
    Map<BaselineComparison.Pair, Driver> drivers = new LinkedHashMap<>();
    double baselineRate = 0;
    for (BaselineComparison.Pair pair : Turns.rotated(comparison.pairs(), index)) {
      Driver driver = attempt(pair, () -> starter.start(stage, pair));
      drivers.put(pair, driver);
      Warmth warmth = attempt(pair, () -> driver.warmUp(effort));
      warmth
          .reservation()
          .ifPresent(it -> progress.accept(workload.name() + ", " + pair + ": " + it));
      baselineRate = pair.equals(comparison.baseline()) ? warmth.rate() : baselineRate;
    }
    if (workload.isPaced()) {
      for (Map.Entry<BaselineComparison.Pair, Driver> entry : drivers.entrySet()) {
        entry.getValue().offer(baselineRate / 2);
        attempt(entry.getKey(), () -> entry.getValue().round(effort)); // is not counted
      }
    }
    Map<BaselineComparison.Pair, List<Round>> turns = turns(comparison, drivers, index);
    Map<BaselineComparison.Pair, Round> found = new LinkedHashMap<>();
    turns.forEach((pair, all) -> found.put(pair, Round.medianOf(all)));
    return found;
  }

  private Map<BaselineComparison.Pair, List<Round>> turns(
      BaselineComparison comparison, Map<BaselineComparison.Pair, Driver> drivers, int firstTurn)
      throws InterruptedException {
    Map<BaselineComparison.Pair, List<Round>> turns = new LinkedHashMap<>();
    for (int i = 0; i < turnsOfEach(); i++) {
      for (BaselineComparison.Pair pair : Turns.rotated(comparison.pairs(), firstTurn + i)) {
        Driver driver = Optional.ofNullable(drivers.get(pair)).orElseThrow();
        turns
            .computeIfAbsent(pair, it -> new ArrayList<>())
            .add(attempt(pair, () -> driver.round(effort)));
      }
    }
    for (Map.Entry<BaselineComparison.Pair, Driver> entry : drivers.entrySet()) {
      attempt(
          entry.getKey(),
          () -> {
            entry.getValue().check();
            return true;
          });
    }
    return turns;
  }

  private int turnsOfEach() {
    return workload.task() instanceof Workload.Task.Calls ? TURNS : effort.roundsOf(workload);
  }

  private <T> T attempt(BaselineComparison.Pair pair, Step<T> step) throws InterruptedException {
    try {
      return step.take();
    } catch (RunFailedException | IOException | UncheckedIOException e) {
      throw new RunFailedException(workload.name() + ", " + pair + ": " + e.getMessage(), e);
    }
  }

  @FunctionalInterface
  private interface Step<T> {
    T take() throws IOException, InterruptedException;
  }
}
