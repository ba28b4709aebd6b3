package dev.gannet.conformance.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in a process of its own, with all that it has said so far. */
final class ChildProgram {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);
  private static final Pattern NEVER = Pattern.compile("(?!)");

  private final List<String> command;
  private final Process process;
  private final Thread reader;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<String> ready = new CompletableFuture<>();

  private ChildProgram(List<String> command, Pattern readyLine) throws IOException {
    this.command = command;
    this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
    this.reader =
        Thread.ofPlatform()
            .daemon()
            .start(() -> read(readyLine)); // a virtual one is pinned on Java 21
  }

  /** Starts a server and waits until it has said the line that says it is ready. */
  static ChildProgram startServer(List<String> command, Pattern readyLine) throws IOException {
    ChildProgram server = new ChildProgram(command, readyLine);
    server.awaitReady();
    return server;
  }

  /** Runs a program to its end. */
  static ChildProgram run(List<String> command) throws IOException, InterruptedException {
    ChildProgram program = new ChildProgram(command, NEVER);
    if (!program.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      program.process.destroyForcibly();
      program.lines.add("(killed, as it did not end within " + PATIENCE + ")");
    }
    program.process.waitFor();
    program.reader.join();
    return program;
  }

  /** What the first group of the ready line matched. */
  String awaitReady() {
    try {
      return ready.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not start: " + this, e);
    }
  }

  long pid() {
    return process.pid();
  }

  int exitCode() {
    return process.exitValue();
  }

  String output() {
    return String.join("\n", lines);
  }

  /** Asks the program to end, and makes it end. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(END_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    reader.join();
  }

  private void read(Pattern readyLine) {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        lines.add(line);
        Matcher matcher = readyLine.matcher(line);
        if (matcher.matches()) {
          ready.complete(matcher.group(1));
        }
      }
    } catch (IOException e) { // Process.destroy closes its output
      lines.add("(" + e.getMessage() + ")");
    } finally {
      ready.completeExceptionally(new IllegalStateException("it ended"));
    }
  }

  @Override
  public String toString() {
    return String.join(" ", command) + "\n" + output();
  }
}
