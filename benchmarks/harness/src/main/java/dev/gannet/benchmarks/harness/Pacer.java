package dev.gannet.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts calls at a fixed rate, or as fast as they end, on one channel after the other. A call that
 * is late because this thread slept starts at once, and its latency counts from its intended start.
 */
record Pacer(Target target, Run run, List<Latencies> latencies) {
  /** If more calls than this are running, the server does not keep up, and memory would run out. */
  private static final int MAX_UNDER_WAY = 100_000;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Returns at the end of the period or of the run. */
  void begin(double callsPerSecond, Duration time) {
    double intervalNanos = NANOS_PER_SECOND / callsPerSecond;
    long beginNanos = System.nanoTime();
    for (long i = 0; !run.isOver(); i++) {
      long afterNanos = (long) (i * intervalNanos);
      if (afterNanos >= time.toNanos()) {
        return;
      }
      sleepUntil(beginNanos + afterNanos);
      startCall((int) (i % latencies.size()), beginNanos + afterNanos);
    }
  }

  /**
   * Starts the next call whenever fewer than the maximum are running; returns at the end of the
   * period or of the run.
   */
  void beginAll(int mostUnderWay, Duration time) {
    long beginNanos = System.nanoTime();
    int channel = 0;
    while (!run.isOver() && System.nanoTime() - beginNanos < time.toNanos()) {
      if (run.underWay() < mostUnderWay) {
        startCall(channel, System.nanoTime());
        channel = (channel + 1) % latencies.size();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void startCall(int channel, long intendedNanos) {
    if (run.underWay() >= MAX_UNDER_WAY) {
      run.fail("the server does not keep up: " + MAX_UNDER_WAY + " calls are under way");
      return;
    }
    run.loopBegins();
    target.startCall(channel, run, latencies.get(channel), intendedNanos);
  }

  private static void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
