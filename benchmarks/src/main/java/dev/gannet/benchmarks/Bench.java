package dev.gannet.benchmarks;

import dev.gannet.benchmarks.compare.CompareCommand;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that begin with {@code bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures Gannet compared with other implementations of gRPC.")
final class Bench implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    return new CommandLine(new Bench()).addSubcommand(new CompareCommand(out, err));
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "bench needs a command: compare");
  }
}
