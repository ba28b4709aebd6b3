package dev.gannet.conformance.h2spec;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The server of the interop tests in a separate process, on a free port. */
final class ServerProcess implements AutoCloseable {
  private static final String READY = "listening on port ";

  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @throws IOException if it ends before it listens
   */
  static ServerProcess start(boolean tls) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.gannet.conformance.Main",
                "interop-server",
                "--port=0",
                "--use_tls=" + tls)
            .redirectError(ProcessBuilder.Redirect.DISCARD) // a line for each violation it reports
            .start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(READY)) {
        return new ServerProcess(process, Integer.parseInt(line.substring(READY.length())));
      }
    }
    process.destroy();
    throw new IOException("the server did not start: try " + List.of("./gannet", "interop-server"));
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
