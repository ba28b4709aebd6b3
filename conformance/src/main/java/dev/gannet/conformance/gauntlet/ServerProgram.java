package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Victim;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a separate process. Confined to one thread. */
final class ServerProgram implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on ports (\\d+) (\\d+)");

  /** How soon the memory that an attack has taken must be free again. */
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  private final ChildProgram program;
  private final Victim ports;

  private ServerProgram(ChildProgram program, Victim ports) {
    this.program = program;
    this.ports = ports;
  }

  static ServerProgram start(List<String> command) throws IOException, InterruptedException {
    ChildProgram program = ChildProgram.start(command);
    Matcher said = program.await(LISTENING);
    return new ServerProgram(
        program,
        Victim.onLoopback(Integer.parseInt(said.group(1)), Integer.parseInt(said.group(2))));
  }

  int port() {
    return ports.plaintext().getPort();
  }

  int tlsPort() {
    return ports.tls().getPort();
  }

  boolean isAlive() {
    return program.isAlive();
  }

  /** The memory that it holds; runs a garbage collection first. */
  Memory memory() throws IOException, InterruptedException {
    return Memory.of(program.pid());
  }

  /**
   * The memory that it holds once what an attack has taken is free again, or when the time for that
   * has passed.
   */
  Memory recovered(Memory before) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + RECOVERY.toNanos();
    Memory last = memory();
    while (!Kept.isBack(before, last) && endNanos - System.nanoTime() > 0) {
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
      last = memory();
    }
    return last;
  }

  @Override
  public void close() {
    program.close();
  }
}
