package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the processors of this machine from sleeping, with a loop for each that runs when nothing
 * else wants to (Linux's SCHED_IDLE, sched(7)). A processor of a virtual machine that goes to sleep
 * waits for the host to be woken again, for milliseconds on a busy host, and a server that is asked
 * two thousand times a second sleeps as often: without the loops, tail latencies are the host's.
 *
 * <p>Where the host is not busy they do harm: a processor that has one of them never counts as
 * idle, so no thread that waits behind another is taken over to it, until the next tick of the
 * scheduler (4 ms at 250 Hz). Of one thread.
 */
final class SleeplessProcessors implements AutoCloseable {
  /** It ends with who began it, however that ends. */
  private static final List<String> LOOP =
      List.of("chrt", "--idle", "0", "sh", "-c", "while kill -0 $PPID; do :; done");

  private final List<ChildProgram> loops = new ArrayList<>();

  private SleeplessProcessors() {}

  /** All processors, where the machine has the scheduler's class and its command; else none. */
  static SleeplessProcessors keep() {
    SleeplessProcessors sleepless = new SleeplessProcessors();
    try {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        sleepless.loops.add(ChildProgram.start(LOOP));
      }
    } catch (IOException e) {
      sleepless.close();
    }
    return sleepless;
  }

  /** Those that may sleep as they like. */
  static SleeplessProcessors none() {
    return new SleeplessProcessors();
  }

  /** Whether they are kept from sleeping. */
  boolean areKept() {
    return !loops.isEmpty() && loops.stream().allMatch(ChildProgram::isAlive);
  }

  @Override
  public void close() {
    loops.forEach(ChildProgram::close);
    loops.clear();
  }
}
