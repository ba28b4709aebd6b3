package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.io.IOException;
import java.util.List;

/** New clients, one after the other: the time from main to the first reply. */
final class FirstCallDriver implements Driver {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Stage stage;
  private final ServerChild server;
  private final Entrant client;

  private FirstCallDriver(Stage stage, ServerChild server, Entrant client) {
    this.stage = stage;
    this.server = server;
    this.client = client;
  }

  static FirstCallDriver of(Stage stage, Entrant server, Entrant client)
      throws IOException, InterruptedException {
    return new FirstCallDriver(stage, stage.server(server), client);
  }

  /** The server and the file cache for the client must be warm; the client itself must not. */
  @Override
  public Warmth warmUp(Effort effort) throws IOException, InterruptedException {
    round(effort);
    return Warmth.NONE;
  }

  @Override
  public void offer(double callsPerSecond) {
    throw new UnsupportedOperationException("one call is made here");
  }

  @Override
  public Round round(Effort effort) throws IOException, InterruptedException {
    try (Child child = stage.client(client, server, List.of("--first-call", "true"))) {
      double nanos = child.answer().get("firstCallNanos").asDouble();
      return Round.of(Metric.FIRST_CALL, nanos / NANOS_PER_MILLI);
    }
  }

  /** Every round is a check. */
  @Override
  public void check() {}
}
