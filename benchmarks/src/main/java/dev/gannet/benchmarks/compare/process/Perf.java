package dev.gannet.benchmarks.compare.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Linux's {@code perf}, which counts the instructions of other processes where the processor has
 * counters and the system lets them be used. In most virtual machines it has none. Where perf may
 * look at user space alone, it counts that.
 */
public record Perf(String path) {
  private static final String EVENT = "instructions";
  private static final long TRIAL_NANOS = 10_000_000;

  /** What perf runs while it counts: says when counting has begun, and lasts until it is let go. */
  private static final List<String> WHILE_COUNTING = List.of("--", "sh", "-c", "echo begun; cat");

  /** Whether instructions can be counted on this machine. */
  public sealed interface Found {
    /** Instructions can be counted. */
    record Available(Perf perf) implements Found {}

    /** Instructions cannot be counted, and why. */
    record Missing(String why) implements Found {}
  }

  /** Looks for a perf that can count. */
  public static Found find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, "perf"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(it -> find(it.toString()))
        .orElseGet(() -> new Found.Missing("perf is not on the PATH"));
  }

  static Found find(String path) {
    Perf perf = new Perf(path);
    try {
      Counting counting = perf.begin(ProcessHandle.current());
      spin();
      counting.end();
      return new Found.Available(perf);
    } catch (IOException | RunFailedException e) {
      return new Found.Missing(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Found.Missing("interrupted");
    }
  }

  /** A program to count, because perf does not distinguish a count of 0 from no count. */
  private static void spin() {
    long endNanos = System.nanoTime() + TRIAL_NANOS;
    while (System.nanoTime() - endNanos < 0) {
      Thread.onSpinWait();
    }
  }

  /**
   * Starts to count the instructions of all threads of the process.
   *
   * @throws RunFailedException if that cannot be
   */
  public Counting begin(ProcessHandle process) throws IOException, InterruptedException {
    Path output = Files.createTempFile("gannet-perf-", ".csv");
    Stream<String> options =
        Stream.of(path, "stat", "-x,", "-e", EVENT, "-p", Long.toString(process.pid()));
    Process counter =
        new ProcessBuilder(Stream.concat(options, WHILE_COUNTING.stream()).toList())
            .redirectError(output.toFile())
            .start();
    Counting counting = new Counting(counter, output);
    counting.awaitBegin();
    return counting;
  }

  /** A running count. */
  public static final class Counting {
    private final Process counter;
    private final Path output;

    private Counting(Process counter, Path output) {
      this.counter = counter;
      this.output = output;
    }

    private void awaitBegin() throws IOException, InterruptedException {
      BufferedReader said = counter.inputReader(UTF_8);
      if (said.readLine() == null) {
        end(); // which tells why
      }
    }

    /**
     * Counts no more, and tells how many there were.
     *
     * @throws RunFailedException if they were not counted
     */
    public long end() throws IOException, InterruptedException {
      counter.getOutputStream().close();
      counter.waitFor();
      String text = Files.readString(output);
      Files.delete(output);
      return parse(text)
          .orElseThrow(() ->
              new RunFailedException(
                  "perf counts no instructions: "
                      + text.lines().findFirst().orElse("it says nothing")));
    }
  }

  /** The count in what perf says, in fields with commas between; perf-stat(1). */
  static OptionalLong parse(String text) {
    return text.lines()
        .map(it -> it.split(",", -1))
        .filter(it -> it.length > 2 && it[2].startsWith(EVENT) && it[0].matches("\\d{1,18}"))
        .mapToLong(it -> Long.parseLong(it[0]))
        .findFirst();
  }
}
