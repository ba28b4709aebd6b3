package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.statistics.Medians;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.statistics.Turns;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One workload, and the duels that are fought over it. */
public final class Trial {
  private final Workload workload;
  private final Roster roster;
  private final Effort effort;
  private final Optional<Perf> perf;
  private final Consumer<String> progress;
  private final Map<Contender, Driver> drivers = new HashMap<>();
  private final Map<Contender, Double> warmRates = new HashMap<>();
  private final Set<Contender> failed = new HashSet<>();
  private final Map<Contender, List<Round>> rounds = new LinkedHashMap<>();
  private final List<Result.Verdict> verdicts = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final Map<Contender, Set<String>> remarks = new LinkedHashMap<>();
  private final List<String> skipped = new ArrayList<>();

  /** Nothing has begun; {@code progress} gets a line now and then. */
  public Trial(
      Workload workload,
      Roster roster,
      Effort effort,
      Optional<Perf> perf,
      Consumer<String> progress) {
    this.workload = workload;
    this.roster = roster;
    this.effort = effort;
    this.perf = perf;
    this.progress = progress;
  }

  /** Fights all duels. The result says what has failed, and has no figures of it. */
  public Result run(List<Duel> duels) throws Exception {
    try (Certificate certificate = new Certificate();
        Stage stage = new Stage(workload, certificate)) {
      for (Duel duel : duels) {
        stage.nextDuel();
        drivers.clear();
        fight(stage, duel);
      }
    }
    failed.forEach(rounds::remove);
    failed.forEach(remarks::remove);
    verdicts.removeIf(it -> it.duel().both().stream().anyMatch(failed::contains));
    return new Result(workload, rounds, verdicts, failures, remarks());
  }

  private void fight(Stage stage, Duel duel) throws InterruptedException {
    if (duel.both().stream().anyMatch(failed::contains)) {
      skipped.add(duel.first() + " and " + duel.second() + " are not compared: one has failed");
      return;
    }
    if (!isWarm(stage, duel.first()) || !isWarm(stage, duel.second())) {
      return;
    }
    if (workload.isPaced()) {
      double rate = warmRates.getOrDefault(duel.first(), 0.0) / 2;
      if (!isWarmAt(rate, duel.first()) || !isWarmAt(rate, duel.second())) {
        return;
      }
    }
    Map<Contender, List<Round>> found = new HashMap<>();
    for (Contender next : Turns.of(duel.first(), duel.second(), effort.roundsOf(workload))) {
      if (!attempt(next, () -> add(found, next, driver(next).round(effort)))) {
        return;
      }
    }
    for (Contender contender : duel.both()) {
      if (!attempt(contender, () -> count(found, contender))
          || !attempt(contender, driver(contender)::check)) {
        return;
      }
    }
    found.forEach((who, what) -> rounds.computeIfAbsent(who, it -> new ArrayList<>()).addAll(what));
    verdicts.add(Result.Verdict.of(duel, of(found, duel.first()), of(found, duel.second())));
    tell(duel, found);
  }

  /** Has it take one round at that rate, which does not count. False if it has failed. */
  private boolean isWarmAt(double rate, Contender contender) throws InterruptedException {
    driver(contender).offer(rate);
    return attempt(contender, () -> driver(contender).round(effort));
  }

  /** In a round of its own, for counting is not free. */
  private void count(Map<Contender, List<Round>> found, Contender contender)
      throws IOException, InterruptedException {
    if (perf.isPresent()) {
      driver(contender).count(effort, perf.get()).ifPresent(it -> add(found, contender, it));
    }
  }

  private static void add(Map<Contender, List<Round>> to, Contender contender, Round round) {
    to.computeIfAbsent(contender, it -> new ArrayList<>()).add(round);
  }

  private static List<Round> of(Map<Contender, List<Round>> found, Contender contender) {
    return found.getOrDefault(contender, List.of());
  }

  /** Starts it and makes it warm, if that has not happened yet. False if it has failed. */
  private boolean isWarm(Stage stage, Contender contender) throws InterruptedException {
    return attempt(
        contender,
        () -> {
          Driver driver = Driver.of(stage, contender, roster);
          drivers.put(contender, driver);
          Warmth warmth = driver.warmUp(effort);
          warmRates.put(contender, warmth.rate());
          warmth.reservation().ifPresent(it -> remark(contender, it));
        });
  }

  private void remark(Contender contender, String what) {
    remarks.computeIfAbsent(contender, it -> new LinkedHashSet<>()).add(what);
  }

  private List<String> remarks() {
    Stream<String> made =
        remarks.entrySet().stream()
            .map(it -> it.getKey() + ": " + String.join("; ", it.getValue()));
    return Stream.concat(made, skipped.stream()).toList();
  }

  private Driver driver(Contender contender) {
    Driver driver = drivers.get(contender);
    if (driver == null) {
      throw new IllegalStateException("not started: " + contender);
    }
    return driver;
  }

  /**
   * Something that can fail, which is then remarked, and takes the contender out of the workload.
   */
  private boolean attempt(Contender contender, Step step) throws InterruptedException {
    try {
      step.take();
      return true;
    } catch (RunFailedException | IOException | UncheckedIOException e) {
      failed.add(contender);
      failures.add(workload.name() + ", " + contender + ": " + e.getMessage());
      progress.accept(failures.getLast());
      return false;
    }
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException, InterruptedException;
  }

  private void tell(Duel duel, Map<Contender, List<Round>> found) {
    for (Contender contender : duel.both()) {
      StringBuilder line = new StringBuilder(workload.name() + ", " + contender + ":");
      for (Metric metric : Metric.values()) {
        Medians.of(metric, of(found, contender))
            .ifPresent(it -> line.append(" ").append(metric.format(it)));
      }
      progress.accept(line.toString());
    }
  }
}
