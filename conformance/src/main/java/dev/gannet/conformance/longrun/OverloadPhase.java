package dev.gannet.conformance.longrun;

import dev.gannet.api.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How the calls of a phase ended, second by second. Refusals are timed after the phase has settled.
 * Safe for all threads; the values of a second are final once that second is over.
 */
final class OverloadPhase {
  private static final int MAX_SECONDS = 600;
  private static final double PERCENT = 100;
  private static final double P99 = 99;
  private static final double NANOS_PER_MILLI = 1e6;

  private final int settleSeconds;
  private final long beganNanos = System.nanoTime();
  private final AtomicLongArray goodBySecond = new AtomicLongArray(MAX_SECONDS);
  private final Histogram refusalNanos = new ConcurrentHistogram(2);
  private final Map<Status.Code, LongAdder> ends = new ConcurrentHashMap<>();

  OverloadPhase(int settleSeconds) {
    this.settleSeconds = settleSeconds;
  }

  void onEnd(Status.Code code, long tookNanos) {
    ends.computeIfAbsent(code, first -> new LongAdder()).increment();
    long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
    if (code == Status.Code.OK) {
      goodBySecond.incrementAndGet((int) Math.min(second, MAX_SECONDS - 1));
    } else if (code == Status.Code.RESOURCE_EXHAUSTED && second >= settleSeconds) {
      refusalNanos.recordValue(Math.max(0, tookNanos));
    }
  }

  /** The mean rate of answered calls from the first to the last second. */
  double goodput(int fromSecond, int toSecond) {
    double sum = 0;
    for (int i = fromSecond; i < toSecond; i++) {
      sum += goodBySecond.get(i);
    }
    return sum / (toSecond - fromSecond);
  }

  /** The first second with this many answers, counted from 1; negative if there is none. */
  int firstSecondWith(double calls, int seconds) {
    for (int i = 0; i < seconds; i++) {
      if (goodBySecond.get(i) >= calls) {
        return i + 1;
      }
    }
    return -1;
  }

  long refused() {
    return refusalNanos.getTotalCount();
  }

  /** The p99 of the time from the start of a refused call to its refusal, in ms. */
  double refusalP99Millis() {
    return refusalNanos.getValueAtPercentile(P99) / NANOS_PER_MILLI;
  }

  /** A description in one line. */
  String describe(double peak, int fromSecond, int toSecond) {
    return "goodput %.0f/s of %.0f (%.0f %%), refused within %.1f ms (p99); ends: %s"
        .formatted(
            goodput(fromSecond, toSecond),
            peak,
            goodput(fromSecond, toSecond) / peak * PERCENT,
            refusalP99Millis(),
            ends);
  }
}
