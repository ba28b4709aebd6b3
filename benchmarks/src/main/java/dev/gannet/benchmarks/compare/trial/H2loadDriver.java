package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.statistics.Steadiness;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Calls of h2load, which supports HTTP/2 but not gRPC: it checks that each response is an HTTP 200
 * and the total size of DATA, but not {@code grpc-status}. So Gannet's client makes a call on each
 * channel before and after.
 *
 * <p>Each round has its own process and connections. Its CPU time and latencies are not used.
 */
final class H2loadDriver implements Driver {
  /** The gRPC message of no bytes: uncompressed, of length 0. */
  private static final byte[] EMPTY_MESSAGE = {0, 0, 0, 0, 0};

  /** Longer than any round or its warm-up takes. */
  private static final Duration MAX_RUN = Duration.ofMinutes(2);

  private static final long FIRST_REQUESTS = 10_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MIB = 1 << 20;

  private final String path;
  private final Workload.Task.Calls calls;
  private final ServerChild server;
  private final Child checker;
  private final Path body;
  private long requests = FIRST_REQUESTS;

  private H2loadDriver(
      String path, Workload.Task.Calls calls, ServerChild server, Child checker, Path body) {
    this.path = path;
    this.calls = calls;
    this.server = server;
    this.checker = checker;
    this.body = body;
  }

  /** A driver with this tool; {@code checker} is a gRPC client. */
  static H2loadDriver of(
      Stage stage, String path, Workload.Task.Calls calls, Entrant server, Entrant checker)
      throws IOException, InterruptedException {
    ServerChild serving = stage.server(server);
    Child checking = stage.client(checker, serving, CallsDriver.options(calls));
    checking.awaitReady();
    Path body = Files.createTempFile("gannet-empty-message-", ".bin");
    body.toFile().deleteOnExit();
    Files.write(body, EMPTY_MESSAGE);
    return new H2loadDriver(path, calls, serving, checking, body);
  }

  @Override
  public Warmth warmUp(Effort effort) throws IOException, InterruptedException {
    Steadiness steadiness = effort.steadiness();
    double rate = 0;
    while (!steadiness.isWarm()) {
      H2loadOutput found = load();
      rate = found.succeeded() / found.seconds();
      steadiness.passed(
          found.succeeded(), Duration.ofNanos((long) (found.seconds() * NANOS_PER_SECOND)));
      requests = Math.max(atOnce(), Math.round(rate * effort.round().toNanos() / NANOS_PER_SECOND));
    }
    return new Warmth(rate, steadiness.reservation());
  }

  private long atOnce() {
    return (long) calls.shape().channels() * calls.outstanding();
  }

  private H2loadOutput load() throws IOException, InterruptedException {
    Path output = Files.createTempFile("gannet-h2load-", ".txt");
    Process process = start(output);
    try {
      if (!process.waitFor(MAX_RUN.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new RunFailedException("h2load has not ended after " + MAX_RUN.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        throw new RunFailedException("h2load ended with " + process.exitValue());
      }
      return H2loadOutput.parse(Files.readString(output), requests, EMPTY_MESSAGE.length);
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private Process start(Path output) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
                path,
                "--requests=" + requests,
                "--clients=" + calls.shape().channels(),
                "--max-concurrent-streams=" + calls.outstanding(),
                "--data=" + body,
                "--header=content-type: application/grpc",
                "--header=te: trailers",
                "http://127.0.0.1:" + server.port() + "/grpc.testing.BenchmarkService/UnaryCall")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    return command.start();
  }

  @Override
  public void offer(double callsPerSecond) {
    throw new UnsupportedOperationException("h2load has no fixed rate here");
  }

  @Override
  public Round round(Effort effort) throws IOException, InterruptedException {
    ServerChild.Used before = server.used();
    H2loadOutput found = load();
    ServerChild.Used after = server.used();
    double made = found.succeeded();
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    figures.put(Metric.CALLS_PER_SECOND, made / found.seconds());
    after.addPerCall(before, made, figures);
    server.residentBytes().ifPresent(it -> figures.put(Metric.SERVER_RSS, it / BYTES_PER_MIB));
    return new Round(figures, Optional.empty());
  }

  @Override
  public Optional<Round> count(Effort effort, Perf perf) throws IOException, InterruptedException {
    Perf.Counting ofServer = perf.begin(server.child().handle());
    double made = load().succeeded();
    return Optional.of(Round.of(Metric.SERVER_INSTRUCTIONS, ofServer.end() / made));
  }

  @Override
  public void check() throws InterruptedException {
    checker.ask("check");
  }
}
