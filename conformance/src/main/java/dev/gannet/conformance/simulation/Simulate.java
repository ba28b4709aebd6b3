package dev.gannet.conformance.simulation;

import dev.gannet.suites.storm.Storm;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs storms, one per seed, until all have run or one breaks a rule. Exits with 0 if every rule
 * held, with 1 if not.
 */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description =
        "Runs storms of random calls between clients and servers, on a simulated network or"
            + " over the in-process transport. Each seed is one storm, always the same. Stops at"
            + " the first seed that breaks a rule.")
public final class Simulate implements Callable<Integer> {
  private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);
  private static final Logger ENGINES = Logger.getLogger("dev.gannet");

  @Option(
      names = "--seeds",
      defaultValue = "10000",
      description = "The number of seeds (default: ${DEFAULT-VALUE}).")
  private long seeds;

  @Option(
      names = "--from",
      defaultValue = "0",
      description = "The first seed (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(
      names = "--threads",
      description = "The number of concurrent storms (default: the number of processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--transport",
      paramLabel = "T",
      defaultValue = "NETWORK",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Storm.Medium medium = Storm.Medium.NETWORK;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public Simulate() {}

  @Override
  public Integer call() throws InterruptedException {
    if (seeds < 1 || threads < 1) {
      throw new ParameterException(
          spec.commandLine(), "--seeds and --threads must be 1 or more, or nothing is played");
    }
    ENGINES.setLevel(Level.OFF); // handlers throw as planned
    PrintWriter out = spec.commandLine().getOut();
    SimulationRun run = new SimulationRun(medium, from, seeds);
    run.begin(threads);
    while (!run.awaitEnd(BETWEEN_WORDS)) {
      out.println(run.progress());
    }
    out.println(run.result());
    run.failures().forEach((seed, error) -> report(out, seed, error));
    return run.isGood() ? 0 : 1;
  }

  private void report(PrintWriter out, long seed, Throwable error) {
    error.printStackTrace(out);
    String transport = medium.name().toLowerCase(Locale.ROOT);
    out.printf("again: ./gannet simulate --transport %s --from %d --seeds 1%n", transport, seed);
  }
}
