package dev.gannet.benchmarks;

import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import io.grpc.benchmarks.proto.BenchmarkServiceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A load on its way from the first connection to the figures. */
final class Measurement {
  private static final Duration LONGEST_FIRST_CALL = Duration.ofSeconds(5);
  private static final Duration LONGEST_LAST_CALL = Duration.ofSeconds(5);

  private final Load load;
  private final Loop.Kind kind;
  private final Run run;
  private final List<Histogram> latencies = new ArrayList<>();

  Measurement(Load load, Loop.Kind kind) {
    this.load = load;
    this.kind = kind;
    this.run = new Run(load);
  }

  /** Ends it without a result. */
  void fail(String why) {
    run.fail(why);
  }

  /**
   * Loads the server behind these channels.
   *
   * @throws RunFailedException if it cannot be reached, or anything at all went wrong meanwhile
   */
  Figures over(List<ManagedChannel> channels) throws InterruptedException {
    channels.forEach(this::callOnce);
    channels.forEach(this::startLoops);
    run.letPass(load.warmup());
    run.beginMeasuring();
    Cost costBefore = Cost.soFar();
    long beginNanos = System.nanoTime();
    run.letPass(load.duration());
    run.end();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - beginNanos);
    Cost cost = Cost.soFar().since(costBefore);
    throwIfFailed();
    if (!run.awaitLoops(LONGEST_LAST_CALL)) {
      run.fail("calls still hang " + LONGEST_LAST_CALL.toSeconds() + " s after the time is over");
    }
    throwIfFailed();
    return new Figures(load, latency(), elapsed, cost);
  }

  /** Connects the channel, and sees whether the service answers at all. */
  private void callOnce(ManagedChannel channel) {
    try {
      run.isRight(
          BenchmarkServiceClient.of(channel)
              .withDeadline(LONGEST_FIRST_CALL)
              .unaryCall(run.request()));
    } catch (StatusException e) {
      throw new RunFailedException(
          "the first call to " + channel.authority() + " ended with " + e.status(), e);
    }
    throwIfFailed();
  }

  private void startLoops(ManagedChannel channel) {
    Histogram latencyNanos = kind.newHistogram();
    latencies.add(latencyNanos);
    for (int i = 0; i < load.callsPerChannel(); i++) {
      kind.on(channel, run, latencyNanos).start();
    }
  }

  private void throwIfFailed() {
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  private Histogram latency() {
    Histogram all = new Histogram(Loop.SIGNIFICANT_DIGITS);
    latencies.forEach(all::add);
    if (all.getTotalCount() == 0) {
      throw new RunFailedException("no result: no call ended in time");
    }
    return all;
  }
}
