package dev.gannet.benchmarks.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What this process has used so far: time on a processor, and memory allocated on the heap. */
public record Cost(long cpuNanos, long allocatedBytes) {
  public static Cost soFar() {
    return new Cost(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
        ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes());
  }

  /** The usage since {@code earlier}. */
  public Cost since(Cost earlier) {
    return new Cost(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
  }
}
