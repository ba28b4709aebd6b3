package dev.gannet.conformance.h2spec;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program h2spec: installs it if it is missing, and runs it. */
final class SpecTool {
  static final String VERSION = "v2.2.1";

  /** In strict mode. */
  static final int CASES = 146;

  /** The suffix is what Go wants for repositories that are older than its modules. */
  private static final String SOURCE =
      "github.com/summerwind/h2spec/cmd/h2spec@" + VERSION + "+incompatible";

  private static final String METHOD_PATH = "/grpc.testing.TestService/EmptyCall";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String SECONDS_PER_CASE = "4";

  private final Path program;

  private SpecTool(Path program) {
    this.program = program;
  }

  /**
   * The program in a folder below this one; installs it there if necessary.
   *
   * @throws IOException if it is missing and cannot be installed; the message says what to do
   */
  static SpecTool in(Path folder) throws IOException, InterruptedException {
    Path home = folder.resolve("h2spec-" + VERSION).toAbsolutePath();
    Path program = home.resolve("h2spec");
    if (!Files.isExecutable(program)) {
      install(home);
    }
    return new SpecTool(program);
  }

  private static void install(Path home) throws IOException, InterruptedException {
    System.out.println("installing h2spec " + VERSION + " into " + home);
    ProcessBuilder go = new ProcessBuilder("go", "install", SOURCE).inheritIO();
    go.environment().put("GOBIN", home.toString());
    go.environment().put("GOFLAGS", "-buildvcs=false");
    Process process;
    try {
      process = go.start();
    } catch (IOException e) {
      throw new IOException(
          "found no Go, which h2spec is written in. Install it (package golang-go, or go.dev) so"
              + " that go is on the PATH.",
          e);
    }
    if (process.waitFor() != 0) {
      throw new IOException(
          "go could not install h2spec "
              + VERSION
              + "; its reasons stand above. Is there a network?");
    }
  }

  /**
   * Runs all cases against the server at that port of this machine.
   *
   * @throws IOException if it does not run to its end
   */
  List<SpecCase> play(int port, boolean tls) throws IOException, InterruptedException {
    Path report = Files.createTempFile("h2spec", ".xml");
    Path said = Files.createTempFile("h2spec", ".txt");
    try {
      Process process =
          new ProcessBuilder(command(port, tls, report))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(said.toFile()))
              .start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("h2spec did not end within " + PATIENCE);
      }
      if (Files.size(report) == 0) {
        throw new IOException("h2spec wrote no report; it said: " + Files.readString(said));
      }
      return SpecReport.read(Files.readAllBytes(report));
    } finally {
      Files.delete(report);
      Files.delete(said);
    }
  }

  private List<String> command(int port, boolean tls, Path report) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
    command.addAll(List.of("-P", METHOD_PATH, "--strict", "-o", SECONDS_PER_CASE));
    command.addAll(List.of("-j", report.toString()));
    if (tls) {
      command.addAll(List.of("--tls", "--insecure"));
    }
    return command;
  }
}
