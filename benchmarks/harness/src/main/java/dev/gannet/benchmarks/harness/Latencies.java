package dev.gannet.benchmarks.harness;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The latencies of a channel's calls, in nanoseconds.
 *
 * <p>Where several threads record, each of them usually gets a part of its own, so that recording
 * costs nearly the same as on one thread: a client whose calls end on several threads must not look
 * more expensive because of this class.
 */
public final class Latencies {
  private static final int PARTS = 8; // a power of two
  private static final int INTS_PER_CACHE_LINE = 32; // of two lines: processors fetch in pairs

  private final Histogram[] parts;
  private final AtomicIntegerArray taken;

  private Latencies(int parts) {
    this.parts =
        Stream.generate(() -> new Histogram(Measurement.SIGNIFICANT_DIGITS))
            .limit(parts)
            .toArray(Histogram[]::new);
    this.taken = new AtomicIntegerArray(parts * INTS_PER_CACHE_LINE);
  }

  /** The latencies of calls that all end on the same thread. */
  public static Latencies ofOneThread() {
    return new Latencies(1);
  }

  /** The latencies of calls that end on any thread. */
  public static Latencies ofAnyThread() {
    return new Latencies(PARTS);
  }

  /** Adds the latency of a call. */
  public void record(long nanos) {
    if (parts.length == 1) {
      parts[0].recordValue(nanos);
      return;
    }
    int part = (int) Thread.currentThread().threadId() & (PARTS - 1);
    while (!taken.weakCompareAndSetAcquire(part * INTS_PER_CACHE_LINE, 0, 1)) {
      part = (part + 1) & (PARTS - 1);
    }
    try {
      parts[part].recordValue(nanos);
    } finally {
      taken.setRelease(part * INTS_PER_CACHE_LINE, 0);
    }
  }

  /** Adds all that was recorded to a histogram, after the last call. */
  void addTo(Histogram sum) {
    for (Histogram each : parts) {
      sum.add(each);
    }
  }
}
