package dev.gannet.transport.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** For how long garbage collections have stopped this process. */
final class CollectionPauses {
  /** Without those of collectors that run beside the program. */
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(it -> !it.getName().contains("Concurrent") && !it.getName().contains("Cycles"))
          .toList();

  private CollectionPauses() {}

  /** In milliseconds, since the start. */
  static long millis() {
    long sum = 0;
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      sum += Math.max(0, collector.getCollectionTime()); // -1 if it does not tell
    }
    return sum;
  }
}
