package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the processors of this machine from sleeping, with one loop per processor that runs when
 * nothing else wants to (Linux's SCHED_IDLE, sched(7)). A sleeping processor of a virtual machine
 * must be woken by the host, which takes milliseconds on a busy host, and a server that gets two
 * thousand calls per second sleeps as often: without the loops, tail latencies are those of the
 * host.
 *
 * <p>If the host is not busy they do harm: a processor that runs such a loop never counts as idle,
 * so no waiting thread is moved to it until the next tick of the scheduler (4 ms at 250 Hz).
 * Confined to one thread.
 */
final class SleeplessProcessors implements AutoCloseable {
  /** The loop ends when the process that started it has ended, for whatever reason. */
  private static final List<String> LOOP =
      List.of("chrt", "--idle", "0", "sh", "-c", "while kill -0 $PPID; do :; done");

  private final List<ChildProgram> loops = new ArrayList<>();

  private SleeplessProcessors() {}

  /** All processors, if the machine has this scheduling class and its command; otherwise none. */
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

  /** No processors: they may sleep. */
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
