package dev.gannet.conformance.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program in a separate process, whose output lines are passed to a consumer, one at a time. It
 * ends with this process at the latest. Safe for all threads.
 */
public final class Child implements AutoCloseable {
  private static final Set<Process> CHILDREN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> CHILDREN.forEach(Process::destroyForcibly)));
  }

  private final Process process;
  private final Thread reader;

  private Child(Process process, Consumer<String> lines) {
    this.process = process;
    CHILDREN.add(process);
    this.reader = Thread.ofVirtual().start(() -> read(process, lines));
  }

  /**
   * Starts it; the lines of both of its outputs are passed to {@code lines}.
   *
   * @throws IOException if it cannot be started
   */
  public static Child start(List<String> command, Consumer<String> lines) throws IOException {
    return new Child(new ProcessBuilder(command).redirectErrorStream(true).start(), lines);
  }

  /** Stops it with SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // which leaves its outputs open, unlike Process.destroy
  }

  /** Stops it by closing its standard input. */
  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /**
   * Waits for its end and its last line, but not longer than the timeout; returns whether it has
   * ended.
   */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS) && reader.join(timeout);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it, if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
    CHILDREN.remove(process);
  }

  private static void read(Process process, Consumer<String> lines) {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        lines.accept(line);
      }
    } catch (IOException e) {
      lines.accept("(nothing more can be read: " + e + ")");
    }
  }
}
