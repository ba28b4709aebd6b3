package dev.gannet.conformance;

import dev.gannet.conformance.connect.ConformanceClient;
import dev.gannet.conformance.connect.ConformanceServer;
import dev.gannet.conformance.gauntlet.AttackCommand;
import dev.gannet.conformance.gauntlet.Gauntlet;
import dev.gannet.conformance.gauntlet.GauntletServer;
import dev.gannet.conformance.interop.InteropClient;
import dev.gannet.conformance.interop.InteropServer;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands for external suites, read from the command line; an unknown one prints the usage and
 * exits with 2.
 */
@Command(
    name = "gannet",
    mixinStandardHelpOptions = true,
    subcommands = {
      InteropServer.class,
      InteropClient.class,
      ConformanceServer.class,
      ConformanceClient.class,
      Gauntlet.class,
      GauntletServer.class,
      AttackCommand.class
    },
    description = "Servers and clients for external suites, and the architecture test.")
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
