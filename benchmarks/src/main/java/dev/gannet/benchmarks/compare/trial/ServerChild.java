package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.ProcFiles;
import java.util.OptionalLong;

/** A server in a process of its own, and what it has used so far. */
record ServerChild(Child child, int port) {
  /** What it has used up to a moment. */
  record Used(long cpuNanos, long allocatedBytes) {
    Used since(Used earlier) {
      return new Used(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
    }
  }

  Used used() throws InterruptedException {
    long allocatedBytes = child.ask("sample").get("allocatedBytes").asLong();
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
