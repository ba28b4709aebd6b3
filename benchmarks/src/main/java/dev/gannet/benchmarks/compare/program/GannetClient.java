package dev.gannet.benchmarks.compare.program;

import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.load.GannetTarget;

/** Gannet's client. */
public final class GannetClient {
  private GannetClient() {}

  /** Makes calls on command until standard input ends. */
  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, GannetTarget::connect);
  }
}
