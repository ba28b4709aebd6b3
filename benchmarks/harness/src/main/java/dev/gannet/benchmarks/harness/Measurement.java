package dev.gannet.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** A load from its first call to the result. */
public final class Measurement {
  /** The precision of latencies. */
  static final int SIGNIFICANT_DIGITS = 3;

  /** How long calls may continue after the end of the period, by default. */
  static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

  private final Load load;
  private final Target target;
  private final Duration patience;
  private final Run run;
  private final List<Latencies> latencies;

  /** A measurement that fails if calls take more than ten seconds after the end of the period. */
  public Measurement(Load load, Target target) {
    this(load, target, USUAL_PATIENCE);
  }

  Measurement(Load load, Target target, Duration patience) {
    this.load = load;
    this.target = target;
    this.patience = patience;
    this.run = new Run(load.payloads());
    this.latencies = Stream.generate(target::newLatencies).limit(load.channels()).toList();
  }

  /** Ends it without a result. */
  public void fail(String why) {
    run.fail(why);
  }

  /**
   * Loads the server behind the target.
   *
   * @throws RunFailedException if anything at all went wrong meanwhile
   */
  public Figures take() throws InterruptedException {
    begin();
    run.sleepUnlessFailed(load.warmup());
    run.beginMeasuring();
    Cost costBefore = Cost.soFar();
    long beginNanos = System.nanoTime();
    pass();
    run.end();
    throwIfFailed();
    if (!run.awaitLoops(patience)) {
      run.fail("calls still hang " + patience.toSeconds() + " s after the time is over");
    }
    Duration elapsed = Duration.ofNanos(System.nanoTime() - beginNanos);
    Cost cost = Cost.soFar().since(costBefore);
    throwIfFailed();
    return new Figures(load, latency(), elapsed, cost);
  }

  private void begin() {
    if (load.pace() instanceof Load.Pace.Closed) {
      IntStream.range(0, load.loops()).forEach(this::startLoop);
    }
  }

  private void startLoop(int index) {
    int channel = index % load.channels();
    run.loopBegins();
    target.startLoop(channel, run, latencies.get(channel));
  }

  private void pass() throws InterruptedException {
    switch (load.pace()) {
      case Load.Pace.Closed() -> run.sleepUnlessFailed(load.time());
      case Load.Pace.Full() ->
          new Pacer(target, run, latencies).beginAll(load.loops(), load.time());
      case Load.Pace.Open(double callsPerSecond) ->
          new Pacer(target, run, latencies).begin(callsPerSecond, load.time());
    }
  }

  private void throwIfFailed() {
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  private Histogram latency() {
    Histogram all = new Histogram(SIGNIFICANT_DIGITS);
    latencies.forEach(it -> it.addTo(all));
    if (all.getTotalCount() == 0) {
      throw new RunFailedException("no result: no call ended in time");
    }
    return all;
  }
}
