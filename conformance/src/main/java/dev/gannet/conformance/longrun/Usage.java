package dev.gannet.conformance.longrun;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources of this process: the heap after a collection, platform threads, and file
 * descriptors.
 *
 * @param descriptors as Linux counts them; 0 elsewhere
 */
record Usage(double heapMib, double threads, double descriptors) {
  private static final double MIB = 1 << 20;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** The present usage; collects garbage first. */
  static Usage now() throws IOException {
    System.gc();
    long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    return new Usage(heapBytes / MIB, threads, openDescriptors());
  }

  /** The mean of at least one sample. */
  static Usage mean(List<Usage> samples) {
    return new Usage(
        samples.stream().mapToDouble(Usage::heapMib).average().orElseThrow(),
        samples.stream().mapToDouble(Usage::threads).average().orElseThrow(),
        samples.stream().mapToDouble(Usage::descriptors).average().orElseThrow());
  }

  @Override
  public String toString() {
    return "heap %.1f MiB, %.1f threads, %.1f descriptors".formatted(heapMib, threads, descriptors);
  }

  private static long openDescriptors() throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(DESCRIPTORS)) {
      return open.count();
    }
  }
}
