package dev.gannet.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command bench-server in a JVM of its own, killed at the end if it still runs. */
record ServerProcess(Process process, BufferedReader lines, int port) implements AutoCloseable {
  private static final Pattern SERVING =
      Pattern.compile("Serving on port (\\d+), dispatch \\w+\\.");

  static ServerProcess start(String dispatch) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(QuickStart.SHORT_RUN);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("bench-server", "--port=0", "--dispatch=" + dispatch));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader lines = process.inputReader(UTF_8);
    String line = String.valueOf(lines.readLine());
    Matcher serving = SERVING.matcher(line);
    if (!serving.matches()) {
      process.destroyForcibly();
      throw new IllegalStateException("not what a server says first: " + line);
    }
    return new ServerProcess(process, lines, Integer.parseInt(serving.group(1)));
  }

  /** Tells it to end, and reads what it says until it has. */
  List<String> lastWords() throws InterruptedException {
    process.toHandle().destroy(); // Process.destroy would close what is read here
    List<String> words = lines.lines().toList();
    process.waitFor();
    return words;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
