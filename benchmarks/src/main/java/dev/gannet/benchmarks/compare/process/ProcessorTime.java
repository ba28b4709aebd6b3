package dev.gannet.benchmarks.compare.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the processors of this machine have done since they began, in ticks; proc_stat(5).
 *
 * @param all every tick of every processor
 * @param stolen those in which this machine wanted to run and its host ran others (steal)
 * @param busy those in which any process ran
 * @param own those in which this process ran, or one of its children that have ended
 */
public record ProcessorTime(long all, long stolen, long busy, long own) {
  private static final Path MACHINE = Path.of("/proc/stat");
  private static final Path SELF = Path.of("/proc/self/stat");
  private static final String ALL_PROCESSORS = "cpu ";

  /** user, nice, system, idle, iowait, irq, softirq, steal; guests are counted in user and nice. */
  private static final int COLUMNS = 8;

  private static final int[] BUSY = {0, 1, 2, 5, 6};
  private static final int STOLEN = 7;

  /** Fields of a process behind its name: utime, stime, cutime, cstime. */
  private static final int[] OWN = {11, 12, 13, 14};

  private static final double PERCENT = 100;

  /** Until now; empty where the system does not tell. */
  public static Optional<ProcessorTime> untilNow() {
    try {
      return Files.isReadable(MACHINE) && Files.isReadable(SELF)
          ? of(Files.readString(MACHINE), Files.readString(SELF))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<ProcessorTime> of(String machine, String self) {
    String[] own = self.substring(self.lastIndexOf(')') + 1).strip().split(" ", -1);
    return machine
        .lines()
        .filter(it -> it.startsWith(ALL_PROCESSORS))
        .map(it -> it.substring(ALL_PROCESSORS.length()).strip().split(" +", -1))
        .filter(it -> it.length >= COLUMNS)
        .map(it -> of(it, own))
        .findFirst();
  }

  private static ProcessorTime of(String[] columns, String[] own) {
    return new ProcessorTime(
        sum(columns, IntStream.range(0, COLUMNS).toArray()),
        Long.parseLong(columns[STOLEN]),
        sum(columns, BUSY),
        sum(own, OWN));
  }

  private static long sum(String[] columns, int... which) {
    return IntStream.of(which).mapToLong(it -> Long.parseLong(columns[it])).sum();
  }

  /** How much of the time since an earlier moment was stolen, in percent. */
  public double stolenPercentSince(ProcessorTime earlier) {
    return PERCENT * (stolen - earlier.stolen) / Math.max(1, all - earlier.all);
  }

  /** How much of the time since an earlier moment other processes took, in percent. */
  public double othersPercentSince(ProcessorTime earlier) {
    long others = busy - earlier.busy - (own - earlier.own);
    return PERCENT * Math.max(0, others) / Math.max(1, all - earlier.all);
  }
}
