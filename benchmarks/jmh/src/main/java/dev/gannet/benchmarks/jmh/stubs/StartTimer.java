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
    openAllJars();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return new StartTimer(threads, System.nanoTime(), threads.getCurrentThreadCpuTime());
  }

  /** Otherwise the library that is first on the class path would pay for the jars behind it. */
  private static void openAllJars() {
    if (StartTimer.class.getResource("/no-such-resource") != null) {
      throw new IllegalStateException("there is such a resource");
    }
  }

  /** Prints both, in nanoseconds. */
  @SuppressWarnings("SystemOut") // a program
  void stop() {
    long cpuNanos = threads.getCurrentThreadCpuTime() - beganCpuNanos;
    long nanos = System.nanoTime() - beganNanos;
    System.out.println(nanos + " " + cpuNanos);
  }
}
