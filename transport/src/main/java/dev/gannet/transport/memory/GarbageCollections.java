package dev.gannet.transport.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How often garbage collections have stopped this process. */
final class GarbageCollections {
  /** Does not count collectors that run beside the program. */
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(it -> !it.getName().contains("Concurrent") && !it.getName().contains("Cycles"))
          .toList();

  private GarbageCollections() {}

  /** Since the start. */
  static long count() {
    long sum = 0;
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      sum += Math.max(0, collector.getCollectionCount()); // -1 if it does not count them
    }
    return sum;
  }
}
