package dev.gannet.fuzz.targets;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * What one input may cost the thread that runs it: bytes of heap, and a second of processor time.
 *
 * <p>An input that costs too much is run again: loading classes, interpreting code and other
 * programs on the machine cost once; what the input itself causes costs every time. The lowest cost
 * of three runs counts. So no warm-up is needed. The wall clock is left to the fuzzer's own limit,
 * which is much longer and meant for endless loops.
 */
final class Budget {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int PLAYS = 3;
  private static final long MAX_CPU_NANOS = 1_000_000_000L;

  private Budget() {}

  /** Runs an input within its time; allocations are not limited. */
  static void holdTime(Runnable play) {
    hold(() -> Long.MAX_VALUE, play);
  }

  /**
   * Runs an input within its budget.
   *
   * @param maxBytes how much may be allocated; evaluated after the run
   * @param play runs the whole input, each time from the beginning
   */
  static void hold(LongSupplier maxBytes, Runnable play) {
    for (int left = PLAYS - 1; ; left--) {
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long cpuBefore = THREADS.getCurrentThreadCpuTime();
      play.run();
      long cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuBefore;
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
      long most = maxBytes.getAsLong();
      if (bytes <= most && cpuNanos <= MAX_CPU_NANOS) {
        return;
      }
      if (left == 0) {
        throw new Finding(
            "%d bytes were allocated, %d are allowed; %d ms of processor time were used, %d are allowed"
                .formatted(bytes, most, cpuNanos / 1_000_000, MAX_CPU_NANOS / 1_000_000));
      }
    }
  }
}
