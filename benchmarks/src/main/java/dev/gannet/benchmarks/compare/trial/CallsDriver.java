package dev.gannet.benchmarks.compare.trial;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.process.ProcFiles;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.statistics.Steadiness;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Calls of a program of the harness. */
final class CallsDriver implements Driver {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MIB = 1 << 20;

  private final List<ServerChild> servers;
  private final Child client;
  private final Workload.Rate rate;
  private double callsPerSecond;

  private CallsDriver(List<ServerChild> servers, Child client, Workload.Rate rate) {
    this.servers = servers;
    this.client = client;
    this.rate = rate;
  }

  static CallsDriver of(Stage stage, Workload.Task.Calls calls, Entrant server, Entrant client)
      throws IOException, InterruptedException {
    if (client.name().endsWith(Roster.RETRIES)) {
      checkRetries(stage, calls, client);
    }
    List<ServerChild> serving = stage.servers(server, calls.servers());
    Child calling = stage.client(client, serving, options(calls));
    calling.awaitReady();
    return new CallsDriver(serving, calling, calls.rate());
  }

  /**
   * Checks a retry policy: although the first attempt of each call fails, the client's calls
   * succeed.
   *
   * @throws RunFailedException if not
   */
  private static void checkRetries(Stage stage, Workload.Task.Calls calls, Entrant client)
      throws IOException, InterruptedException {
    List<ServerChild> flaky = stage.servers(Roster.flakyServer(), calls.servers());
    try (Child calling = stage.client(client, flaky, options(calls))) {
      calling.awaitReady(); // behind a call on each channel
    }
  }

  static List<String> options(Workload.Task.Calls calls) {
    Workload.Shape shape = calls.shape();
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--kind", shape.kind().name(), "--style", shape.style().name()));
    options.addAll(List.of("--channels", Integer.toString(shape.channels())));
    options.addAll(List.of("--outstanding", Integer.toString(calls.outstanding())));
    options.addAll(List.of("--client-bytes", Integer.toString(shape.payloads().clientBytes())));
    options.addAll(List.of("--server-bytes", Integer.toString(shape.payloads().serverBytes())));
    options.addAll(List.of("--deadline-millis", Long.toString(shape.deadline().toMillis())));
    options.addAll(List.of("--metadata", Integer.toString(shape.metadataEntries())));
    return options;
  }

  @Override
  public Warmth warmUp(Effort effort) throws InterruptedException {
    Steadiness steadiness = effort.steadiness();
    double closedRate = 0;
    while (!steadiness.isWarm()) {
      JsonNode found = client.ask(question(effort, ""));
      long calls = found.get("calls").asLong();
      double seconds = found.get("seconds").asDouble();
      closedRate = rateOf(found);
      steadiness.passed(calls, Duration.ofNanos((long) (seconds * NANOS_PER_SECOND)));
    }
    double warmRate =
        rate == Workload.Rate.CLOSED ? closedRate : rateOf(client.ask(question(effort, " full")));
    return new Warmth(warmRate, steadiness.reservation());
  }

  private static String question(Effort effort, String pace) {
    return "round " + effort.round().toMillis() + pace;
  }

  private static double rateOf(JsonNode found) {
    return found.get("calls").asLong() / found.get("seconds").asDouble();
  }

  @Override
  public void offer(double rate) {
    callsPerSecond = rate;
  }

  @Override
  public Round round(Effort effort) throws InterruptedException {
    ServerChild.Used before = used();
    long clientBeforeNanos = ProcFiles.cpuNanos(client.handle());
    JsonNode found = client.ask(question(effort, pace()));
    long clientNanos = ProcFiles.cpuNanos(client.handle()) - clientBeforeNanos;
    ServerChild.Used after = used();
    double calls = found.get("calls").asDouble();
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    figures.put(Metric.CALLS_PER_SECOND, calls / found.get("seconds").asDouble());
    after.addPerCall(before, calls, figures);
    figures.put(Metric.CLIENT_CPU, clientNanos / NANOS_PER_MICRO / calls);
    Child.number(found, "allocatedBytes")
        .ifPresent(it -> figures.put(Metric.CLIENT_BYTES, it / calls));
    servers
        .getFirst()
        .residentBytes()
        .ifPresent(it -> figures.put(Metric.SERVER_RSS, it / BYTES_PER_MIB));
    ProcFiles.residentBytes(client.handle())
        .ifPresent(it -> figures.put(Metric.CLIENT_RSS, it / BYTES_PER_MIB));
    return Round.of(figures, decoded(found.get("latencyNanos").asText()));
  }

  /** The resource usage of all servers. */
  private ServerChild.Used used() throws InterruptedException {
    ServerChild.Used sum = servers.getFirst().used();
    for (ServerChild server : servers.subList(1, servers.size())) {
      sum = sum.plus(server.used());
    }
    return sum;
  }

  private String pace() {
    return callsPerSecond > 0 ? String.format(Locale.ROOT, " %.1f", callsPerSecond) : "";
  }

  @Override
  public Optional<Round> count(Effort effort, Perf perf) throws IOException, InterruptedException {
    Perf.Counting ofServer = perf.begin(servers.getFirst().child().handle());
    Perf.Counting ofClient = perf.begin(client.handle());
    double calls = client.ask(question(effort, pace())).get("calls").asDouble();
    Map<Metric, Double> figures =
        Map.of(
            Metric.SERVER_INSTRUCTIONS, ofServer.end() / calls,
            Metric.CLIENT_INSTRUCTIONS, ofClient.end() / calls);
    return Optional.of(new Round(figures, Optional.empty()));
  }

  private static Histogram decoded(String text) {
    ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
    try {
      return Histogram.decodeFromCompressedByteBuffer(buffer, 0);
    } catch (DataFormatException e) {
      throw new RunFailedException("latencies that cannot be read", e);
    }
  }

  @Override
  public void check() throws InterruptedException {
    client.ask("check");
  }
}
