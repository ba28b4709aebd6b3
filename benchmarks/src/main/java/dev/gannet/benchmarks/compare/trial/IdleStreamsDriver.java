package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bidirectional streams on which nothing happens: the growth of the heap of both sides; then a
 * message is exchanged on each.
 */
final class IdleStreamsDriver implements Driver {
  private static final int STREAMS_PER_CHANNEL = 100;
  private static final int MAX_LOOKS = 10;

  private final Stage stage;
  private final Entrant server;
  private final Entrant client;

  IdleStreamsDriver(Stage stage, Entrant server, Entrant client) {
    this.stage = stage;
    this.server = server;
    this.client = client;
  }

  @Override
  public Warmth warmUp(Effort effort) {
    return Warmth.NONE;
  }

  @Override
  public void offer(double callsPerSecond) {
    throw new UnsupportedOperationException("nothing is called here");
  }

  @Override
  public Round round(Effort effort) throws IOException, InterruptedException {
    int channels = effort.idle().channels();
    ServerChild serving = stage.freshServer(server);
    List<String> options = List.of("--kind", "PING_PONG", "--channels", Integer.toString(channels));
    try (Child calling = stage.client(client, serving, options)) {
      calling.awaitReady();
      long serverBefore = settledHeapBytes(serving.child());
      long clientBefore = settledHeapBytes(calling);
      double streams = calling.ask("open " + STREAMS_PER_CHANNEL).get("streams").asInt();
      Map<Metric, Double> figures =
          Map.of(
              Metric.SERVER_HEAP_PER_STREAM,
              grown("server", serving.heapBytes() - serverBefore) / streams,
              Metric.CLIENT_HEAP_PER_STREAM,
              grown("client", heapBytes(calling) - clientBefore) / streams);
      calling.ask("exchange");
      return new Round(figures, Optional.empty());
    } finally {
      serving.child().close();
    }
  }

  private static long grown(String role, long bytes) {
    if (bytes <= 0) {
      throw new RunFailedException("the streams have not made the " + role + "'s heap grow");
    }
    return bytes;
  }

  /** Garbage of the start is collected when the heap does not shrink any more. */
  private static long settledHeapBytes(Child program) throws InterruptedException {
    long least = heapBytes(program);
    for (int i = 0; i < MAX_LOOKS; i++) {
      long now = heapBytes(program);
      if (now >= least) {
        return least;
      }
      least = now;
    }
    return least;
  }

  private static long heapBytes(Child program) throws InterruptedException {
    return program.ask("heap").get("usedHeapBytes").asLong();
  }

  /** Each round has already ended its processes. */
  @Override
  public void check() {}
}
