package dev.gannet.benchmarks;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Load;
import dev.gannet.benchmarks.harness.Measurement;
import dev.gannet.benchmarks.harness.WrongUsageException;
import dev.gannet.benchmarks.load.GannetTarget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.serviceconfig.ServiceConfigs;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A client that loads a server and prints the results. */
@Command(
    name = "bench-client",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description =
        "Keeps a number of calls of grpc.testing.BenchmarkService open on each channel, and"
            + " prints their latency, calls per second, and the CPU time and memory of a call in"
            + " this process. After a single wrong status or reply it exits with 1 and prints no"
            + " figures.")
final class BenchClient implements Callable<Integer> {
  private static final int SECONDS_TO_STOP = 10;

  private final PrintWriter out;

  @Option(
      names = "--address",
      required = true,
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      paramLabel = "TARGET",
      description =
          "The servers to call: HOST:PORT, or any target, such as"
              + " ipv4:127.0.0.1:5001,127.0.0.1:5002 (required).")
  private String address = "";

  @Option(
      names = "--service_config_json",
      paramLabel = "JSON",
      description =
          "The channels' service config, for example with retry and load-balancing policies.")
  private @Nullable String serviceConfigJson;

  @Option(names = "--channels", paramLabel = "N", description = "The number of connections.")
  private int channels = 4;

  @Option(
      names = "--outstanding",
      paramLabel = "N",
      description = "The number of concurrent calls (or streams) on each channel.")
  private int callsPerChannel = 10;

  @Option(
      names = "--client_payload",
      paramLabel = "BYTES",
      description = "The payload size of a request.")
  private int clientBytes;

  @Option(
      names = "--server_payload",
      paramLabel = "BYTES",
      description = "The payload size of a response.")
  private int serverBytes;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description = "The time before the measurement.")
  private int warmupSeconds = 5;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description = "The time of the measurement.")
  private int durationSeconds = 10;

  @Option(
      names = "--mode",
      paramLabel = "M",
      description = "async (listeners on the event loop) or blocking (virtual threads).")
  private CallShape.Style style = CallShape.Style.ASYNC;

  @Option(names = "--streaming", description = "Ping-pong on streams instead of unary calls.")
  private boolean streaming;

  BenchClient(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws InterruptedException {
    Load load = load();
    GannetTarget target = connect();
    CountDownLatch ended = new CountDownLatch(1);
    Measurement measurement = new Measurement(load, target);
    Thread stop = new Thread(() -> stop(measurement, ended), "stop");
    Runtime.getRuntime().addShutdownHook(stop);
    try (target) {
      IntStream.range(0, channels).forEach(target::callOnce);
      measurement.take().printTo(out);
    } finally {
      ended.countDown();
    }
    return 0;
  }

  /** If the process is stopped, ends the current run and prints its results first. */
  private static void stop(Measurement measurement, CountDownLatch ended) {
    measurement.fail("the process was told to end");
    try {
      ended.await(SECONDS_TO_STOP, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Load load() {
    if (channels < 1 || callsPerChannel < 1 || durationSeconds < 1) {
      throw new WrongUsageException("--channels, --outstanding and --duration must be at least 1");
    }
    if (clientBytes < 0 || serverBytes < 0 || warmupSeconds < 0) {
      throw new WrongUsageException(
          "--client_payload, --server_payload and --warmup must not be negative");
    }
    return new Load(
        channels,
        callsPerChannel,
        new Load.Payloads(clientBytes, serverBytes),
        new Load.Pace.Closed(),
        Duration.ofSeconds(warmupSeconds),
        Duration.ofSeconds(durationSeconds));
  }

  private GannetTarget connect() {
    ServiceConfig config = config();
    try {
      return GannetTarget.connect(
          shape(),
          ManagedChannel.builder(address)
              .plaintext()
              .directExecutor()
              .defaultServiceConfig(config));
    } catch (IllegalArgumentException e) {
      throw new WrongUsageException("--address: " + e.getMessage());
    }
  }

  private ServiceConfig config() {
    try {
      return Optional.ofNullable(serviceConfigJson)
          .map(ServiceConfigs::parse)
          .orElse(ServiceConfig.EMPTY);
    } catch (IllegalArgumentException e) {
      throw new WrongUsageException("--service_config_json: " + e.getMessage());
    }
  }

  private CallShape shape() {
    return new CallShape(
        "",
        List.of(0),
        CallShape.Policy.NONE,
        streaming ? CallShape.Kind.PING_PONG : CallShape.Kind.UNARY,
        style,
        channels,
        new Load.Payloads(clientBytes, serverBytes),
        Duration.ZERO,
        0,
        Optional.empty());
  }
}
