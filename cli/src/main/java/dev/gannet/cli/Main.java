package dev.gannet.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands for users, read from the command line; an unknown one prints the usage and exits
 * with 2.
 */
@Command(
    name = "gannet",
    mixinStandardHelpOptions = true,
    description = "The commands of ./gannet for users.")
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
