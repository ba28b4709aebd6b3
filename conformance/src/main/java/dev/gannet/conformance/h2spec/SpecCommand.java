package dev.gannet.conformance.h2spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that runs h2spec against the server of the interop tests, over h2c and over TLS. */
@Command(
    name = "h2spec",
    mixinStandardHelpOptions = true,
    description =
        "Runs h2spec, strict, against the server of the interop tests, over h2c and over"
            + " TLS. Fails unless every case passes, except those that RFC 9113 overrules. h2spec"
            + " is a Go program. Its first use installs it, which needs Go and a network.")
public final class SpecCommand implements Callable<Integer> {
  @Option(
      names = "--tools",
      description = "The folder in which h2spec is installed. Default: .gannet.")
  private Path tools = Path.of(".gannet");

  /** A command whose options are still to be read. */
  public SpecCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    try {
      SpecTool tool = SpecTool.in(tools);
      for (Overruled overruled : Overruled.ALL) {
        System.out.println("has to fail: " + overruled.name() + ", as " + overruled.reason());
      }
      boolean plaintext = isGood(tool, "h2c", false);
      boolean tls = isGood(tool, "TLS", true);
      return plaintext && tls ? 0 : 1;
    } catch (IOException e) {
      System.err.println("h2spec: " + e.getMessage());
      return 1;
    }
  }

  private static boolean isGood(SpecTool tool, String name, boolean tls)
      throws IOException, InterruptedException {
    try (ServerProcess server = ServerProcess.start(tls)) {
      SpecVerdict verdict = new SpecVerdict(tool.play(server.port(), tls), Overruled.ALL);
      System.out.println(name + ": " + verdict.summary());
      List<String> faults = verdict.faults(SpecTool.CASES);
      faults.forEach(fault -> System.out.println("  " + fault));
      if (!server.isAlive()) {
        System.out.println("  the server has ended");
      }
      return faults.isEmpty() && server.isAlive();
    }
  }
}
