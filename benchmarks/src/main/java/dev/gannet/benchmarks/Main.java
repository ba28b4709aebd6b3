package dev.gannet.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The commands for measuring, read from the command line.
 *
 * <p>Exit codes: 0 if all went well, 1 for a failure, 2 for a command line that cannot be
 * understood; the last two with one line on standard error.
 */
@Command(
    name = "gannet",
    mixinStandardHelpOptions = true,
    description = "Load generators, and servers for load tests.")
public final class Main {
  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Prints the stack trace if the command fails.")
  private boolean verbose;

  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, UTF_8);
    System.exit(commandLine(out, err).execute(args));
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    Main main = new Main();
    FailureReport report = new FailureReport(() -> main.verbose);
    return new CommandLine(main)
        .addSubcommand(Bench.commandLine(out, err))
        .addSubcommand(new BenchServer(out))
        .addSubcommand(new BenchClient(out))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(report)
        .setExecutionExceptionHandler(report);
  }
}
