package dev.gannet.conformance;

import dev.gannet.conformance.connect.ConformanceClient;
import dev.gannet.conformance.connect.ConformanceServer;
import dev.gannet.conformance.gauntlet.AttackCommand;
import dev.gannet.conformance.gauntlet.Gauntlet;
import dev.gannet.conformance.gauntlet.GauntletServer;
import dev.gannet.conformance.h2spec.SpecCommand;
import dev.gannet.conformance.interop.Http2Client;
import dev.gannet.conformance.interop.InteropClient;
import dev.gannet.conformance.interop.InteropServer;
import dev.gannet.conformance.longrun.Churn;
import dev.gannet.conformance.longrun.Faults;
import dev.gannet.conformance.longrun.Overload;
import dev.gannet.conformance.longrun.Restarts;
import dev.gannet.conformance.longrun.RestartsServer;
import dev.gannet.conformance.longrun.Soak;
import dev.gannet.conformance.simulation.Simulate;
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
      Http2Client.class,
      ConformanceServer.class,
      ConformanceClient.class,
      SpecCommand.class,
      Gauntlet.class,
      GauntletServer.class,
      AttackCommand.class,
      Simulate.class,
      Restarts.class,
      RestartsServer.class,
      Overload.class,
      Soak.class,
      Faults.class,
      Churn.class
    },
    description = "Servers and clients for external suites, attacks and simulations.")
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} names and exits with its code. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }
}
