package dev.gannet.fuzz.targets;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * What one input may cost the thread that plays it: bytes of heap, and a second of the processor's
 * time.
 *
 * <p>An input that costs too much is played again: classes that are loaded, code that is still
 * interpreted and other programs on the machine cost once, what the input is to blame for costs
 * every time. The least of three plays counts. So there is no warm-up to wait for, and the wall
 * clock is left to the fuzzer's own, far longer limit, which is for loops without end.
 */
final class Budget {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int PLAYS = 3;
  private static final long MAX_CPU_NANOS = 1_000_000_000L;

  private Budget() {}

  /** Plays an input within its time; what it allocates is nobody's measure. */
  static void holdTime(Runnable play) {
    hold(() -> Long.MAX_VALUE, play);
  }

  /**
   * Plays an input within its budget.
   *
   * @param maxBytes how much may be allocated; asked after the play
   * @param play plays the whole input, anew each time
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
