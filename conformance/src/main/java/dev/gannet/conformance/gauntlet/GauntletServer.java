package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.interop.TestCredentials;
import dev.gannet.server.Server;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * The command that runs the server under attack, with and without TLS and with Gannet's defaults
 * for everything. Prints its ports.
 */
@Command(
    name = "gauntlet-server",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "The server that the gauntlet attacks; runs until it is interrupted.")
public final class GauntletServer implements Callable<Integer> {
  /** A command. */
  public GauntletServer() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Server plaintext = Server.builder(0).plaintext().add(new GauntletService()).start();
        Server tls =
            Server.builder(0)
                .credentials(TestCredentials.ofServer())
                .add(new GauntletService())
                .start()) {
      System.out.println("listening on ports " + plaintext.port() + " " + tls.port());
      plaintext.awaitTermination();
    }
    return 0;
  }
}
