package dev.gannet.conformance.gauntlet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program in a separate process, which is controlled by lines of text. Confined to one thread.
 */
final class ChildProgram implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);
  private static final int LINES_KEPT = 100_000;
  private static final int LINES_SHOWN = 8;
  private static final int FIRST_LINES_SHOWN = 5;

  /** The running child processes, which are ended if this one is stopped during a trial. */
  private static final Set<Process> CHILDREN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> CHILDREN.forEach(Process::destroyForcibly)));
  }

  private final Process process;
  private final PrintWriter in;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_KEPT);

  private ChildProgram(Process process) {
    this.process = process;
    CHILDREN.add(process);
    this.in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    Thread.ofVirtual().start(this::read);
  }

  static ChildProgram start(List<String> command) throws IOException {
    return new ChildProgram(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Waits for the next line that matches; lines before it are dropped. */
  Matcher await(Pattern kind) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + PATIENCE.toNanos();
    List<String> last = new ArrayList<>();
    for (long left = PATIENCE.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
      String line = lines.poll(left, TimeUnit.NANOSECONDS);
      if (line != null) {
        Matcher matcher = kind.matcher(line);
        if (matcher.matches()) {
          return matcher;
        }
        last.add(line);
        if (last.size() > LINES_SHOWN) {
          last.remove(FIRST_LINES_SHOWN); // the first ones name the cause
        }
      } else if (!process.isAlive()) {
        break;
      }
    }
    throw new IOException("it has not said " + kind + ", but: " + String.join(" | ", last));
  }

  void tell(String line) {
    in.println(line);
  }

  /** Closes the program's input. */
  void endInput() {
    in.close();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Ends the program, by force if necessary. */
  @Override
  public void close() {
    CHILDREN.remove(process);
    in.close();
    process.destroy();
    try {
      if (!process.waitFor(LAST_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (!lines.offer(line)) {
          lines.clear();
        }
      }
    } catch (IOException e) {
      lines.offer("(nothing more can be read: " + e + ")");
    }
  }
}
