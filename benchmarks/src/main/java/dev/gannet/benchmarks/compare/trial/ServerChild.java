package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.ProcFiles;
import dev.gannet.benchmarks.compare.statistics.Metric;
import java.util.Map;
import java.util.OptionalLong;

/** A server in its own process, and its resource usage. */
record ServerChild(Child child, int port) {
  /** The resource usage until now; programs of old builds may not report allocations. */
  record Used(long cpuNanos, OptionalLong allocatedBytes) {
    private static final double NANOS_PER_MICRO = 1e3;

    /** What both have used; unknown where one does not tell. */
    Used plus(Used other) {
      boolean known = allocatedBytes.isPresent() && other.allocatedBytes.isPresent();
      return new Used(
          cpuNanos + other.cpuNanos,
          known
              ? OptionalLong.of(allocatedBytes.getAsLong() + other.allocatedBytes.getAsLong())
              : OptionalLong.empty());
    }

    /** Adds to {@code figures} the cost per call since an earlier moment. */
    void addPerCall(Used earlier, double calls, Map<Metric, Double> figures) {
      long nanos = cpuNanos - earlier.cpuNanos;
      figures.put(Metric.SERVER_CPU, nanos / NANOS_PER_MICRO / calls);
      if (allocatedBytes.isPresent() && earlier.allocatedBytes.isPresent()) {
        long bytes = allocatedBytes.getAsLong() - earlier.allocatedBytes.getAsLong();
        figures.put(Metric.SERVER_BYTES, bytes / calls);
      }
    }
  }

  Used used() throws InterruptedException {
    OptionalLong allocatedBytes = Child.number(child.ask("sample"), "allocatedBytes");
    return new Used(ProcFiles.cpuNanos(child.handle()), allocatedBytes);
  }

  /** What its heap holds when garbage is gone. */
  long heapBytes() throws InterruptedException {
    return child.ask("heap").get("usedHeapBytes").asLong();
  }

  OptionalLong residentBytes() {
    return ProcFiles.residentBytes(child.handle());
  }
}
