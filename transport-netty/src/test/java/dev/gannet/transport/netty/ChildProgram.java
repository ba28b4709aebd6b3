package dev.gannet.transport.netty;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A JVM of its own that runs a program of these tests, talked with line by line. */
final class ChildProgram implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Stands behind its last line. */
  private static final String END = "(it has ended)";

  private final Process process;
  private final PrintWriter in;
  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ChildProgram(Process process) {
    this.process = process;
    this.in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    Thread.ofPlatform().daemon().start(this::read); // a virtual one is pinned on Java 21
  }

  /**
   * Starts it.
   *
   * @param shell what stands before the command, such as a limit that a shell sets
   */
  static ChildProgram start(List<String> shell, List<String> flags, Class<?> program)
      throws IOException {
    List<String> command = new ArrayList<>(shell);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return new ChildProgram(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        said.add(line);
        lines.add(line);
      }
    } catch (IOException e) {
      said.add("(nothing more can be read: " + e + ")");
    } finally {
      lines.add(END);
    }
  }

  /** What it says, from the next line on in which that is found. */
  Matcher await(String pattern) throws InterruptedException {
    Pattern kind = Pattern.compile(pattern);
    long endNanos = System.nanoTime() + PATIENCE_NANOS;
    for (long left = PATIENCE_NANOS; left > 0; left = endNanos - System.nanoTime()) {
      String line = lines.poll(left, TimeUnit.NANOSECONDS);
      if (END.equals(line)) {
        break;
      }
      Matcher matcher = kind.matcher(line == null ? "" : line);
      if (matcher.find()) {
        return matcher;
      }
    }
    throw new AssertionError("it has not said " + pattern + ", but:\n" + all());
  }

  void tell(String line) {
    in.println(line);
  }

  /** Everything that it has said. */
  String all() {
    return String.join("\n", said);
  }

  /** What its threads do now, and how full its heap is. */
  String threads() throws IOException, InterruptedException {
    int before = said.size();
    new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
    await("^Metaspace|^ Metaspace"); // the end of it
    return said.stream().skip(before).collect(Collectors.joining("\n"));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    in.close();
    process.destroyForcibly().onExit().join();
  }
}
