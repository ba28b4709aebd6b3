package dev.gannet.benchmarks.compare;

import dev.gannet.benchmarks.compare.baseline.BaselineBuild;
import dev.gannet.benchmarks.compare.baseline.Repository;
import dev.gannet.benchmarks.compare.process.ProcessorTime;
import dev.gannet.benchmarks.compare.report.BaselineTable;
import dev.gannet.benchmarks.compare.report.Machine;
import dev.gannet.benchmarks.compare.statistics.Change;
import dev.gannet.benchmarks.compare.trial.BaselineComparison;
import dev.gannet.benchmarks.compare.trial.BaselineFindings;
import dev.gannet.benchmarks.compare.trial.BaselineTrial;
import dev.gannet.benchmarks.compare.trial.Certificate;
import dev.gannet.benchmarks.compare.trial.Effort;
import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.GannetBuild;
import dev.gannet.benchmarks.compare.trial.Roster;
import dev.gannet.benchmarks.compare.trial.Workload;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ExitCode;

/**
 * Compares the working tree with an earlier commit, from the build of that commit to the last
 * table.
 */
final class BaselineRun {
  private final BaselineOptions options;
  private final Effort effort;
  private final PrintWriter out;
  private final PrintWriter err;
  private final StringBuilder written = new StringBuilder();
  private final List<String> failures = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();

  BaselineRun(BaselineOptions options, Effort effort, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.effort = effort;
    this.out = out;
    this.err = err;
  }

  /** Compares both in all these workloads, and returns the exit code. */
  int run(String ref, List<Workload> workloads, Roster roster)
      throws IOException, InterruptedException {
    Repository repository = Repository.at(options.repository());
    String commit = repository.commit(ref);
    String classPath = new BaselineBuild(repository, err::println).classPath(commit);
    var sources =
        new BaselineComparison.Sources(
            new GannetBuild(classPath),
            GannetBuild.ofThisProcess(),
            roster.client("h2load"),
            roster.client(Roster.RAW));
    tell(BaselineTable.introduction(commit, repository.workingTree(), Machine.here(), effort));
    Optional<ProcessorTime> begun = ProcessorTime.untilNow();
    try (Certificate certificate = new Certificate()) {
      for (Workload workload : workloads) {
        compare(workload, sources, certificate);
      }
    }
    Optional<ProcessorTime> ended = ProcessorTime.untilNow();
    if (begun.isPresent() && ended.isPresent()) {
      tell(
          BaselineTable.disturbance(
              ended.get().stolenPercentSince(begun.get()),
              ended.get().othersPercentSince(begun.get())));
    }
    conclude();
    return failures.isEmpty() && (complaints.isEmpty() || !options.failsAboveLimit())
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private void compare(
      Workload workload, BaselineComparison.Sources sources, Certificate certificate)
      throws IOException, InterruptedException {
    var trial = new BaselineTrial(workload, effort, certificate, sources.baseline(), err::println);
    List<BaselineFindings> findings = new ArrayList<>();
    for (BaselineComparison comparison : BaselineComparison.of(workload, sources)) {
      try {
        findings.add(trial.run(comparison));
      } catch (RunFailedException e) {
        failures.add(String.valueOf(e.getMessage()));
        err.println("FAILED: " + failures.getLast());
      }
    }
    tell(BaselineTable.of(workload, findings, options.limit()));
    if (BaselineComparison.isNeutral(workload)
        && sources.neutral().source() instanceof Entrant.Source.Missing(String why)) {
      tell("\nThe baseline's client called the servers: " + why + ".\n");
    }
    findings.stream()
        .flatMap(it -> it.lines().stream())
        .filter(it -> it.judgedBy(options.limit()) == Change.Judgement.WORSE)
        .forEach(it -> complaints.add(BaselineTable.complaint(workload, it)));
  }

  private void conclude() throws IOException {
    StringBuilder text = new StringBuilder();
    failures.forEach(it -> text.append("\nFAILED: ").append(it).append('\n'));
    complaints.forEach(it -> text.append("\nWorse: ").append(it).append('\n'));
    if (failures.isEmpty() && complaints.isEmpty()) {
      text.append(
          String.format(
              Locale.ROOT, "%nNothing is above %.2f and above the noise.%n", options.limit()));
    }
    tell(text.toString());
  }

  /** Writes the results so far to the file, even if the rest fails. */
  private void tell(String text) throws IOException {
    out.print(text);
    out.flush();
    written.append(text);
    Optional<Path> table = options.table();
    if (table.isPresent()) {
      Files.writeString(table.get(), written);
    }
  }
}
