package dev.gannet.benchmarks.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine on which everything ran. */
public record Machine(String processor, int cores, String kernel, String jdk) {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  /** This machine. */
  public static Machine here() {
    return new Machine(
        processorName(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + Runtime.version());
  }

  private static String processorName() {
    try {
      return Files.readString(PROCESSORS)
          .lines()
          .filter(it -> it.startsWith("model name"))
          .map(it -> it.substring(it.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
