package dev.gannet.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands for measuring, read from the command line; an unknown one prints the usage and exits
 * with 2.
 */
@Command(
    name = "gannet",
    mixinStandardHelpOptions = true,
    description = "Load generators and micro-benchmarks.")
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
