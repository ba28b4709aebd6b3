package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The processor time of a virtual machine since it started, in ticks, as Linux counts it
 * (proc_stat(5)).
 *
 * @param ticks all ticks
 * @param stolen the ticks in which the machine wanted to run but its host ran others
 */
record StolenTime(long ticks, long stolen) {
  private static final Path STATISTICS = Path.of("/proc/stat");
  private static final String ALL_PROCESSORS = "cpu ";

  /** user, nice, system, idle, iowait, irq, softirq, steal; guests are counted in user and nice. */
  private static final int COLUMNS = 8;

  /** The time until now; empty if the system does not report it. */
  static Optional<StolenTime> untilNow() {
    try {
      return Files.isReadable(STATISTICS) ? of(Files.readAllLines(STATISTICS)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The stolen time in the lines of that file. */
  static Optional<StolenTime> of(List<String> lines) {
    return lines.stream()
        .filter(it -> it.startsWith(ALL_PROCESSORS))
        .map(it -> it.substring(ALL_PROCESSORS.length()).trim().split(" +"))
        .filter(it -> it.length >= COLUMNS)
        .map(StolenTime::sum)
        .findFirst();
  }

  /** How much of the time since then was stolen, as a text. */
  String since(StolenTime earlier) {
    long all = Math.max(1, ticks - earlier.ticks);
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * (stolen - earlier.stolen) / all);
  }

  private static StolenTime sum(String... columns) {
    long ticks = 0;
    for (int i = 0; i < COLUMNS; i++) {
      ticks += Long.parseLong(columns[i]);
    }
    return new StolenTime(ticks, Long.parseLong(columns[COLUMNS - 1]));
  }
}
