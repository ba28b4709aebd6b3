package dev.gannet.benchmarks.compare;

import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.report.HtmlPage;
import dev.gannet.benchmarks.compare.report.JsonReport;
import dev.gannet.benchmarks.compare.report.Machine;
import dev.gannet.benchmarks.compare.report.Report;
import dev.gannet.benchmarks.compare.report.TextTable;
import dev.gannet.benchmarks.compare.trial.Duel;
import dev.gannet.benchmarks.compare.trial.Effort;
import dev.gannet.benchmarks.compare.trial.Plan;
import dev.gannet.benchmarks.compare.trial.Result;
import dev.gannet.benchmarks.compare.trial.Roster;
import dev.gannet.benchmarks.compare.trial.Trial;
import dev.gannet.benchmarks.compare.trial.Workload;
import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares implementations of gRPC in one run. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Compares implementations of gRPC in one run: each server and each client in a"
            + " process of its own, on loopback, in turns A B A B. Prints tables, and writes"
            + " results.json and report.html. A wrong status, a lost call or a dead server makes it"
            + " exit with 1. Without options it runs all comparisons of docs/performance.md, which"
            + " takes more than an hour.")
public final class CompareCommand implements Callable<Integer> {
  /** The workloads of a quick comparison. */
  private static final List<String> QUICK_OF_BASELINE = List.of("unary-4x100", "deadline-metadata");

  @Option(
      names = "--quick",
      description = "Few and short rounds, for a quick check; do not quote the figures.")
  private boolean quick;

  @Option(names = "--list", description = "Lists the workloads, servers and clients, and exits.")
  private boolean list;

  @Option(
      names = "--everyone",
      description =
          "Armeria, Vert.x and Helidon take part in every workload; that takes an hour more.")
  private boolean everyone;

  @Option(
      names = "--workload",
      paramLabel = "W",
      description = "A workload; may be given several times.")
  private List<String> workloads = new ArrayList<>();

  @Option(
      names = "--server",
      paramLabel = "S",
      description = "A server; each is compared with gannet-inline, or with the first server.")
  private List<String> servers = new ArrayList<>();

  @Option(names = "--client", paramLabel = "C", description = "A client for these servers.")
  private List<String> clients = new ArrayList<>();

  @Option(
      names = "--pairs",
      paramLabel = "A,B",
      description = "A pair to compare instead, each SERVER/CLIENT.")
  private List<String> pairs = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for results.json and report.html.")
  private Path folder = Path.of("benchmarks", "report");

  @Option(
      names = "--floor",
      paramLabel = "FILE",
      description = "A minimal server in one Java file on Netty: the lowest possible cost.")
  private @Nullable Path floor;

  @Option(
      names = "--peers",
      paramLabel = "DIR",
      description = "The folder in which the peers are built; set by the launcher.")
  private @Nullable Path peers;

  @Option(
      names = "--commit",
      paramLabel = "ID",
      description = "The measured commit, for the report; set by the launcher.")
  private String commit = "unknown";

  @Option(
      names = "--warmup-calls",
      paramLabel = "N",
      description = "Short warm-up, and rates need not be steady: to try the command.")
  private long warmupCalls;

  @Option(names = "--rounds", paramLabel = "N", description = "The number of rounds of each pair.")
  private int rounds;

  @Option(names = "--round-millis", paramLabel = "N", description = "The length of a round.")
  private int roundMillis;

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Spec private @Nullable CommandSpec spec;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Optional<Roster> given;
  private final Supplier<Perf.Found> instructions;

  /** With the implementations that are available on this machine. */
  public CompareCommand(PrintWriter out, PrintWriter err) {
    this(out, err, Optional.empty(), Perf::find);
  }

  CompareCommand(
      PrintWriter out, PrintWriter err, Optional<Roster> given, Supplier<Perf.Found> instructions) {
    this.out = out;
    this.err = err;
    this.given = given;
    this.instructions = instructions;
  }

  @Override
  public Integer call() throws Exception {
    Roster roster =
        given.orElseGet(() -> Roster.of(Optional.ofNullable(peers), Optional.ofNullable(floor)));
    if (list) {
      Listing.print(roster, out);
      return ExitCode.OK;
    }
    Optional<String> ref = baseline.ref();
    if (ref.isPresent()) {
      return compareWith(ref.get(), roster);
    }
    if (baseline.isHalfGiven()) {
      throw new WrongUsageException("--fail-above and --table need --baseline");
    }
    Effort effort = effort(quick ? Effort.quick() : Effort.full());
    Plan plan = plan(roster);
    Perf.Found perf = instructions.get();
    List<String> holes = holes(plan, perf);
    holes.forEach(it -> err.println("Not compared: " + it));
    Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    List<Result> results = new ArrayList<>();
    for (Map.Entry<Workload, List<Duel>> entry : plan.duels().entrySet()) {
      Trial trial = new Trial(entry.getKey(), roster, effort, present(perf), err::println);
      Result result = trial.run(entry.getValue()).without(plan.impossible(entry.getKey()));
      results.add(result);
      TextTable.print(result, out);
      write(report(begun, roster, effort, results, holes));
    }
    out.printf("%nWritten: %s%n", folder.resolve("report.html"));
    return verdict(results);
  }

  private int compareWith(String ref, Roster roster) throws IOException, InterruptedException {
    if (everyone || !servers.isEmpty() || !clients.isEmpty() || !pairs.isEmpty()) {
      throw new WrongUsageException(
          "--baseline has pairs of its own: --server, --client, --pairs and --everyone do not fit");
    }
    Effort effort = effort(quick ? Effort.quickOfBaseline() : Effort.ofBaseline());
    if (baseline.failsAboveLimit() && effort.rounds() < 2) {
      throw new WrongUsageException(
          "--fail-above needs --baseline with two rounds or more: one round shows no noise");
    }
    List<String> chosen = workloads.isEmpty() && quick ? QUICK_OF_BASELINE : workloads;
    try {
      return new BaselineRun(baseline, effort, out, err)
          .run(ref, workloadsBesideBaseline(chosen), roster);
    } catch (IllegalArgumentException e) {
      throw new WrongUsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Old builds support one server only. */
  private static List<Workload> workloadsBesideBaseline(List<String> chosen) {
    List<Workload> all = Plan.workloads(chosen);
    Optional<Workload> unknown = all.stream().filter(it -> it.servers() > 1).findFirst();
    if (unknown.isPresent() && !chosen.isEmpty()) {
      throw new IllegalArgumentException(
          unknown.get().name() + " compares clients, and not with a baseline");
    }
    return all.stream().filter(it -> it.servers() == 1).toList();
  }

  private Plan plan(Roster roster) {
    try {
      return Plan.of(new Plan.Wishes(workloads, servers, clients, pairs, everyone), roster);
    } catch (IllegalArgumentException e) {
      throw new WrongUsageException(String.valueOf(e.getMessage()));
    }
  }

  /** The missing programs and measurements. */
  private static List<String> holes(Plan plan, Perf.Found instructions) {
    List<String> holes = new ArrayList<>(plan.holes());
    if (instructions instanceof Perf.Found.Missing(String why)) {
      holes.add("instructions are not counted: " + why);
    }
    return holes;
  }

  private static Optional<Perf> present(Perf.Found instructions) {
    return instructions instanceof Perf.Found.Available(Perf perf)
        ? Optional.of(perf)
        : Optional.empty();
  }

  private Effort effort(Effort usual) {
    if (warmupCalls < 0 || rounds < 0 || roundMillis < 0) {
      throw new WrongUsageException(
          "--warmup-calls, --rounds and --round-millis must not be negative");
    }
    return usual.with(warmupCalls, rounds, Duration.ofMillis(roundMillis));
  }

  private Report.Context context(Roster roster, Effort effort) {
    return new Report.Context(
        Machine.here(),
        commandLine(),
        effort.description(),
        Versions.of(commit, roster),
        Program.jvmOptions());
  }

  /** The command line as the user gave it, without the additions of the launcher. */
  private String commandLine() {
    if (spec == null) {
      return "./gannet bench compare";
    }
    List<String> args = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    for (String option : List.of("--peers", "--commit")) {
      int added = args.indexOf(option);
      if (added >= 0) {
        args.subList(added, added + 2).clear();
      }
    }
    return "./gannet " + String.join(" ", args);
  }

  private Report report(
      Instant begun, Roster roster, Effort effort, List<Result> results, List<String> holes) {
    return new Report(begun, context(roster, effort), results, Notes.ALL, holes);
  }

  /** Writes the results so far to the files, even if the rest fails. */
  private void write(Report report) throws IOException {
    Files.createDirectories(folder);
    JsonReport.write(report, folder.resolve("results.json"));
    HtmlPage.write(report, folder.resolve("report.html"));
  }

  private int verdict(List<Result> results) {
    List<String> failures = results.stream().flatMap(it -> it.failures().stream()).toList();
    failures.forEach(it -> err.println("FAILED: " + it));
    if (failures.isEmpty() && results.stream().allMatch(it -> it.rounds().isEmpty())) {
      err.println("FAILED: nothing was compared");
      return ExitCode.SOFTWARE;
    }
    return failures.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
