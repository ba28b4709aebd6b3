package dev.gannet.benchmarks.compare.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** What Linux tells about a process in {@code /proc}; elsewhere, what the JDK can find out. */
public final class ProcFiles {
  /** Fields of {@code stat} behind the name, which ends with the last parenthesis; proc(5). */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  /** USER_HZ is taken to be 100, as {@code getconf CLK_TCK} says on common Linux systems. */
  private static final long NANOS_PER_TICK = 10_000_000;

  private static final int BYTES_PER_KIB = 1024;
  private static final String RESIDENT = "VmRSS:";

  private ProcFiles() {}

  /** Time on processors so far, by user and system together, of all threads. */
  public static long cpuNanos(ProcessHandle process) {
    Path stat = folder(process).resolve("stat");
    if (Files.exists(stat)) {
      return cpuNanos(read(stat));
    }
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  static long cpuNanos(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    return ticks * NANOS_PER_TICK;
  }

  /** Memory that is resident now, where the system tells. */
  public static OptionalLong residentBytes(ProcessHandle process) {
    Path status = folder(process).resolve("status");
    return Files.exists(status) ? residentBytes(read(status)) : OptionalLong.empty();
  }

  static OptionalLong residentBytes(String status) {
    return status
        .lines()
        .filter(it -> it.startsWith(RESIDENT))
        .mapToLong(it -> Long.parseLong(it.substring(RESIDENT.length()).strip().split(" ", 2)[0]))
        .map(kib -> kib * BYTES_PER_KIB)
        .findFirst();
  }

  private static Path folder(ProcessHandle process) {
    return Path.of("/proc", Long.toString(process.pid()));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }
}
