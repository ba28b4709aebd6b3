package dev.gannet.conformance.gauntlet;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The results of the honest calls that started within one phase. Safe for all threads. */
final class HonestPhase {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final long LEFT_NOT_YET = Long.MAX_VALUE;

  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong inTime = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicReference<String> firstFailure = new AtomicReference<>("");
  private final Histogram latencyNanos = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
  private final long beginNanos = System.nanoTime();
  private volatile long lastNanos = LEFT_NOT_YET;

  void onCall() {
    calls.incrementAndGet();
  }

  void onAnswer(long nanos) {
    latencyNanos.recordValue(nanos);
    if (lastNanos == LEFT_NOT_YET) {
      inTime.incrementAndGet();
    }
    ended.incrementAndGet();
  }

  void onFailure(String what) {
    firstFailure.compareAndSet("", what);
    failures.incrementAndGet();
    ended.incrementAndGet();
  }

  /** No more calls start in this phase. */
  void leave() {
    lastNanos = System.nanoTime();
  }

  /** The results, once all calls have ended; to be called after {@link #leave}. */
  HonestFigures figures() {
    long giveUpNanos = System.nanoTime() + 2 * HonestLoad.PATIENCE.toNanos();
    while (ended.get() < calls.get() && giveUpNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    double seconds = (lastNanos - beginNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    return new HonestFigures(
        inTime.get() / seconds,
        failures.get() + calls.get() - ended.get(),
        firstFailure.get(),
        latencyNanos.getValueAtPercentile(50),
        latencyNanos.getValueAtPercentile(99));
  }
}
