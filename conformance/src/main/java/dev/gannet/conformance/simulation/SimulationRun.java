package dev.gannet.conformance.simulation;

import dev.gannet.api.Status;
import dev.gannet.suites.storm.Storm;
import dev.gannet.suites.storm.StormReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs many storms on several threads; ends early at the first that breaks a rule. Started by one
 * thread, which may ask for the progress.
 */
final class SimulationRun {
  private final Storm.Medium medium;
  private final long firstSeed;
  private final long behindSeed;
  private final AtomicLong nextSeed;
  private final LongAdder played = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final Map<Status.Code, LongAdder> calls = new ConcurrentSkipListMap<>();
  private final SortedMap<Long, Throwable> failures = new ConcurrentSkipListMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final long beganNanos = System.nanoTime();

  SimulationRun(Storm.Medium medium, long firstSeed, long seeds) {
    this.medium = medium;
    this.firstSeed = firstSeed;
    this.behindSeed = firstSeed + seeds;
    this.nextSeed = new AtomicLong(firstSeed);
  }

  void begin(int count) {
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().name("storm-" + i).start(this::playOn));
    }
  }

  private void playOn() {
    for (long seed = nextSeed.getAndIncrement();
        seed < behindSeed && failures.isEmpty();
        seed = nextSeed.getAndIncrement()) {
      try {
        count(new Storm(seed, medium).play());
      } catch (RuntimeException | Error e) {
        failures.put(seed, e);
      }
    }
  }

  private void count(StormReport report) {
    played.increment();
    connections.add(report.connections());
    report.calls().forEach((code, ends) -> counter(code).add(ends));
  }

  private LongAdder counter(Status.Code code) {
    return calls.computeIfAbsent(code, first -> new LongAdder());
  }

  /**
   * Waits until all storms have run, but not longer than the timeout; returns whether they have.
   */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    long endNanos = System.nanoTime() + timeout.toNanos();
    for (Thread thread : threads) {
      Duration left = Duration.ofNanos(endNanos - System.nanoTime());
      if (!thread.join(left.isPositive() ? left : Duration.ZERO)) {
        return false;
      }
    }
    return true;
  }

  /** Whether every storm has run, and none broke a rule. */
  boolean isGood() {
    return failures.isEmpty() && played.sum() == behindSeed - firstSeed;
  }

  /** The storms that broke a rule, by their seeds. */
  SortedMap<Long, Throwable> failures() {
    return new TreeMap<>(failures);
  }

  String progress() {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    return "%,d of %,d seeds, %,.0f a second"
        .formatted(played.sum(), behindSeed - firstSeed, played.sum() / seconds);
  }

  String result() {
    return "%s; seeds from %d; %,d connections, calls by their ends: %s; %d storms broke a rule"
        .formatted(progress(), firstSeed, connections.sum(), calls, failures.size());
  }
}
