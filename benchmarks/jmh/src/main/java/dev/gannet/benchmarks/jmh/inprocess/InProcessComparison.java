package dev.gannet.benchmarks.jmh.inprocess;

import dev.gannet.benchmarks.jmh.inprocess.EchoCalls.Library;
import dev.gannet.benchmarks.jmh.inprocess.EchoCalls.Threads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code ./gannet bench inprocess}: both libraries in turns, each round in JVMs of their own, and
 * one line for direct calls and one for those of default threads: medians of the rounds, how many
 * times as long grpc-java takes, and the bytes that a call of Gannet allocates.
 */
public final class InProcessComparison {
  private static final int ROUNDS = 3;
  private static final int ITERATIONS = 3;
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private InProcessComparison() {}

  private record Measured(double nanos, double bytes) {}

  /** Takes no arguments. */
  @SuppressWarnings("SystemOut") // a program
  public static void main(String[] arguments) throws RunnerException {
    for (Threads threads : Threads.values()) {
      List<Measured> gannet = new ArrayList<>();
      List<Measured> grpcJava = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        gannet.add(measure(Library.GANNET, threads));
        grpcJava.add(measure(Library.GRPC_JAVA, threads));
      }
      System.out.println(line(threads, gannet, grpcJava));
    }
  }

  private static String line(Threads threads, List<Measured> gannet, List<Measured> grpcJava) {
    double ours = median(gannet.stream().map(Measured::nanos).toList());
    double theirs = median(grpcJava.stream().map(Measured::nanos).toList());
    double bytes = median(gannet.stream().map(Measured::bytes).toList());
    return String.format(
        Locale.ROOT,
        "%-8sgannet %.0f ns  grpc-java %.0f ns  %.1fx  %.0f bytes",
        threads.name().toLowerCase(Locale.ROOT),
        ours,
        theirs,
        theirs / ours,
        bytes);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static Measured measure(Library library, Threads threads) throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(InProcessBenchmark.class.getName())
                    .param("library", library.name())
                    .param("threads", threads.name())
                    .addProfiler(GCProfiler.class)
                    .forks(1)
                    .warmupIterations(ITERATIONS)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(ITERATIONS)
                    .measurementTime(TimeValue.seconds(1))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    RunResult result = results.iterator().next();
    return new Measured(
        result.getPrimaryResult().getScore(),
        Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED), ALLOCATED).getScore());
  }
}
