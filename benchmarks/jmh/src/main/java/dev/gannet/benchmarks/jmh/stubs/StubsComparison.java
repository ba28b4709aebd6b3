package dev.gannet.benchmarks.jmh.stubs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * {@code ./gannet bench stubs}: what our plug-in and grpc-java's make of one service with 50
 * methods. How many classes, how many bytes of class files, and how long a fresh JVM takes until a
 * client or a service of them is there: medians of many JVMs, the two libraries in turns.
 *
 * <p>All styles of ours are counted, as grpc-java's plug-in always writes all of its. Exits with 1
 * if ours is not the smaller one everywhere; times are compared by what they take of the processor.
 */
public final class StubsComparison {
  private static final int ROUNDS = 21;
  private static final String ROW = "%-34s%12s%12s%8s%n";

  private StubsComparison() {}

  /** What one JVM took. */
  record Started(long nanos, long cpuNanos) {}

  /** One line: what both have. */
  private record Row(String what, long gannet, long grpcJava) {
    boolean isSmaller() {
      return gannet < grpcJava;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          ROW,
          what,
          String.format(Locale.ROOT, "%,d", gannet),
          String.format(Locale.ROOT, "%,d", grpcJava),
          String.format(Locale.ROOT, "%.2f", (double) gannet / grpcJava));
    }
  }

  /** Takes the number of JVMs of each kind; {@value #ROUNDS} by default. */
  @SuppressWarnings("SystemOut") // a program
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length == 0 ? ROUNDS : Integer.parseInt(arguments[0]);
    GeneratedClasses gannet = GeneratedClasses.of(Library.GANNET);
    GeneratedClasses grpcJava = GeneratedClasses.of(Library.GRPC_JAVA);
    List<Row> judged = new ArrayList<>();
    judged.add(new Row("classes", gannet.number(), grpcJava.number()));
    judged.add(new Row("bytes of class files", gannet.bytes(), grpcJava.bytes()));
    List<Row> rows = new ArrayList<>();
    for (Side side : Side.values()) {
      Map<Library, List<Started>> runs = inTurns(side, rounds);
      String what = side.name().toLowerCase(Locale.ROOT);
      judged.add(row(what + ", processor's time, us", runs, Started::cpuNanos));
      rows.add(row(what + ", time, us", runs, Started::nanos));
    }
    System.out.printf(Locale.ROOT, ROW, "50 methods", "gannet", "grpc-java", "ratio");
    judged.forEach(System.out::print);
    rows.forEach(System.out::print);
    System.exit(judged.stream().allMatch(Row::isSmaller) ? 0 : 1);
  }

  private static Row row(
      String what, Map<Library, List<Started>> runs, ToLongFunction<Started> time) {
    return new Row(
        what,
        medianMicros(runs, Library.GANNET, time),
        medianMicros(runs, Library.GRPC_JAVA, time));
  }

  private static long medianMicros(
      Map<Library, List<Started>> runs, Library library, ToLongFunction<Started> time) {
    List<Long> sorted =
        Objects.requireNonNull(runs.get(library)).stream().map(time::applyAsLong).sorted().toList();
    return sorted.get(sorted.size() / 2) / 1_000;
  }

  private static Map<Library, List<Started>> inTurns(Side side, int rounds)
      throws IOException, InterruptedException {
    List<Started> gannet = new ArrayList<>();
    List<Started> grpcJava = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      gannet.add(start(GannetStart.class, side));
      grpcJava.add(start(GrpcJavaStart.class, side));
    }
    return new EnumMap<>(Map.of(Library.GANNET, gannet, Library.GRPC_JAVA, grpcJava));
  }

  /** Runs a program in a JVM of its own, with the options and the class path of this one. */
  static Started start(Class<?> program, Side side) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                side.name())
            .redirectError(ProcessBuilder.Redirect.DISCARD) // the JVM's warnings of libraries
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(program.getSimpleName() + " has failed: " + said);
    }
    String[] times = said.split(" ", 2);
    return new Started(Long.parseLong(times[0]), Long.parseLong(times[1]));
  }
}
