package dev.gannet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gannet.fuzz.record.RecordCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands for fuzzing, read from the command line.
 *
 * <p>Exit codes: 0 if all rules held, 1 if one was broken or the fuzzer failed, 2 for a command
 * line that cannot be understood.
 */
@Command(
    name = "gannet",
    mixinStandardHelpOptions = true,
    description = "Runs fuzz targets, and creates initial inputs for them.")
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, UTF_8);
    CommandLine commands = new CommandLine(new Main());
    commands.addSubcommand(new FuzzCommand(out)).addSubcommand(new RecordCommand());
    System.exit(commands.execute(args));
  }
}
