package dev.gannet.benchmarks.jmh.stubs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * What the running thread takes from here on: by the clock, and of the processor. Other programs on
 * the machine change the first, and hardly the second.
 */
final class StartTimer {
  private final ThreadMXBean threads;
  private final long beganNanos;
  private final long beganCpuNanos;

  private StartTimer(ThreadMXBean threads, long beganNanos, long beganCpuNanos) {
    this.threads = threads;
    this.beganNanos = beganNanos;
    this.beganCpuNanos = beganCpuNanos;
  }

  static StartTimer start() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return new StartTimer(threads, System.nanoTime(), threads.getCurrentThreadCpuTime());
  }

  /** Prints both, in nanoseconds. */
  @SuppressWarnings("SystemOut") // a program
  void stop() {
    long cpuNanos = threads.getCurrentThreadCpuTime() - beganCpuNanos;
    long nanos = System.nanoTime() - beganNanos;
    System.out.println(nanos + " " + cpuNanos);
  }
}
