package dev.gannet.benchmarks.compare.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What the processors of a virtual machine have done since they began, in ticks; proc_stat(5).
 *
 * @param ticks all of them
 * @param stolen those in which this machine wanted to run and its host ran others (steal)
 */
public record StolenTime(long ticks, long stolen) {
  private static final Path STATISTICS = Path.of("/proc/stat");
  private static final String ALL_PROCESSORS = "cpu ";

  /** From user to steal; the time of guests is counted in user and nice. */
  private static final int COLUMNS = 8;

  private static final double PERCENT = 100;

  /** Until now; empty where the system does not tell. */
  public static Optional<StolenTime> untilNow() {
    try {
      return Files.isReadable(STATISTICS) ? of(Files.readAllLines(STATISTICS)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<StolenTime> of(List<String> lines) {
    return lines.stream()
        .filter(it -> it.startsWith(ALL_PROCESSORS))
        .map(it -> it.substring(ALL_PROCESSORS.length()).strip().split(" +"))
        .filter(it -> it.length >= COLUMNS)
        .map(StolenTime::of)
        .findFirst();
  }

  private static StolenTime of(String... columns) {
    long ticks = LongStream.range(0, COLUMNS).map(i -> Long.parseLong(columns[(int) i])).sum();
    return new StolenTime(ticks, Long.parseLong(columns[COLUMNS - 1]));
  }

  /** How much of the time from an earlier moment to this one was stolen, in percent. */
  public double percentSince(StolenTime earlier) {
    return PERCENT * (stolen - earlier.stolen) / Math.max(1, ticks - earlier.ticks);
  }
}
