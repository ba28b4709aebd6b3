package dev.gannet.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many calls may be under way at once, learnt from how long calls take: while they take as long
 * as they do when few are under way, the limit grows; when they take longer, it shrinks by as much.
 * It settles where calls begin to wait for each other.
 *
 * <pre>
 *              10 samples, or 1 s
 *   LEARNING ──────────────────────► LIMITING
 *      ▲                                │
 *      └─── 4 s, and calls refused ─────┘
 * </pre>
 *
 * <p>While it is LEARNING, only a quarter of what was under way is admitted, so that calls do not
 * wait for each other, and the mean of what each method takes becomes the method's base. While it
 * is LIMITING, time is cut into windows of 100 ms or more. Each call is compared with the base of
 * its own method, so that a mixture of fast and slow methods is no overload. A window in which
 * three calls at most were under way counts as learning too. As long as no call is refused, nothing
 * has to be learnt anew: a server below its limit refuses none for that.
 *
 * <p>May be used by all threads; time is an argument. No lock is held while a call is admitted or
 * ends, but for the one that ends a window.
 */
final class AdaptiveLimit {
  private static final long WINDOW_NANOS = 100_000_000;
  private static final long LIMITING_NANOS = 4_000_000_000L;
  private static final long MAX_LEARNING_NANOS = 1_000_000_000;
  private static final int MIN_SAMPLES = 10;
  private static final int MIN_WHILE_LEARNING = 3;

  /** How much longer than their base calls may take before the limit shrinks. */
  private static final double TOLERANCE = 1.5;

  /** Below this the limit grows by a quarter a window; above it, by its square root. */
  private static final double UNLOADED = 1.1;

  private enum Phase {
    LEARNING,
    LIMITING
  }

  /** What is known of how long the calls of one method take. */
  static final class Latency {
    private final LongAdder nanos = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private volatile double baseNanos;

    /** How long a call takes that waits for no other; 0 while that is unknown. */
    double baseNanos() {
      return baseNanos;
    }

    private void add(long took) {
      nanos.add(took);
      calls.increment();
    }

    /** Ends a window; what its calls took against the base, summed up, or 0 without any. */
    private double end(boolean learnt) {
      long count = calls.sumThenReset();
      double sum = nanos.sumThenReset();
      if (count == 0) {
        return 0;
      }
      double mean = sum / count;
      double base = baseNanos;
      if (base == 0 || mean < base) {
        base = mean;
      } else if (learnt) {
        base += (mean - base) * Math.min(1, (double) count / MIN_SAMPLES);
      }
      baseNanos = base;
      return sum / base;
    }
  }

  private final int most;
  private final AtomicInteger underWay = new AtomicInteger();
  private final LongAdder samples = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final ReentrantLock ending = new ReentrantLock();
  private final Iterable<Latency> latencies;

  /** What is admitted now: the limit, or a part of it while learning. */
  private volatile int admitted;

  private volatile long windowEndNanos;

  /** Calls that began before this were admitted under another limit, and are no samples. */
  private volatile long samplesSinceNanos;

  private volatile int mostUnderWay;

  // Guarded by ending.
  private Phase phase = Phase.LEARNING;
  private double limit;
  private long phaseSinceNanos;
  private long refusedBeforePhase;

  /**
   * A limit that begins by learning.
   *
   * @param first the limit once it has learnt, 1 or more
   * @param most which it never exceeds
   * @param latencies those of all methods whose calls are counted here
   */
  AdaptiveLimit(int first, int most, Iterable<Latency> latencies, long nowNanos) {
    this.limit = first;
    this.most = most;
    this.latencies = latencies;
    learn(nowNanos);
  }

  /** Whether one call more may begin; if so, {@link #leave} must follow once. */
  boolean tryEnter(long nowNanos) {
    endWindow(nowNanos);
    int now = underWay.incrementAndGet();
    if (now > admitted) {
      underWay.decrementAndGet();
      refused.increment();
      mostUnderWay = Math.max(mostUnderWay, now - 1);
      return false;
    }
    if (now > mostUnderWay) {
      mostUnderWay = now; // races lose a call or two, which changes nothing
    }
    return true;
  }

  /** A call has ended that began at that time. */
  void leave(Latency method, long beganNanos, long nowNanos) {
    underWay.decrementAndGet();
    if (beganNanos - samplesSinceNanos >= 0) {
      samples.increment();
      method.add(Math.max(1, nowNanos - beganNanos));
    }
    endWindow(nowNanos);
  }

  private void endWindow(long nowNanos) {
    if (nowNanos - windowEndNanos < 0 || !ending.tryLock()) {
      return;
    }
    try {
      if (nowNanos - windowEndNanos >= 0) {
        judge(nowNanos);
      }
    } finally {
      ending.unlock();
    }
  }

  private void judge(long nowNanos) {
    windowEndNanos = nowNanos + WINDOW_NANOS;
    boolean enough = samples.sum() >= MIN_SAMPLES;
    switch (phase) {
      case LEARNING -> {
        if (enough || nowNanos - phaseSinceNanos >= MAX_LEARNING_NANOS) {
          endSamples(true);
          phase = Phase.LIMITING;
          beginPhase(nowNanos);
          admit(limit);
        }
      }
      case LIMITING -> {
        boolean isOver = nowNanos - phaseSinceNanos >= LIMITING_NANOS;
        if (isOver && refused.sum() > refusedBeforePhase) {
          learn(nowNanos);
        } else if (enough) {
          adapt(nowNanos);
        }
      }
    }
  }

  private void beginPhase(long nowNanos) {
    phaseSinceNanos = nowNanos;
    refusedBeforePhase = refused.sum();
  }

  private void adapt(long nowNanos) {
    int used = mostUnderWay;
    double ratio = endSamples(used <= MIN_WHILE_LEARNING);
    if (ratio > TOLERANCE) {
      double from = Math.min(limit, Math.max(used, 1));
      limit = from * Math.max(0.5, TOLERANCE / ratio) + Math.sqrt(from) / 2;
      samplesSinceNanos = nowNanos;
    } else if (used >= limit / 2) {
      limit += ratio < UNLOADED ? Math.max(1, limit / 4) : Math.max(1, Math.sqrt(limit) / 2);
    }
    admit(limit);
  }

  private void learn(long nowNanos) {
    phase = Phase.LEARNING;
    beginPhase(nowNanos);
    windowEndNanos = nowNanos + WINDOW_NANOS;
    samplesSinceNanos = nowNanos;
    double used = Math.min(limit, mostUnderWay);
    admitted = (int) Math.max(MIN_WHILE_LEARNING, used / 4);
    endSamples(false);
  }

  private void admit(double calls) {
    limit = Math.min(most, Math.max(1, calls));
    admitted = (int) limit;
  }

  /** How many times their base the window's calls took, in the mean; 1 without any. */
  private double endSamples(boolean learnt) {
    long count = samples.sumThenReset();
    double sum = 0;
    for (Latency latency : latencies) {
      sum += latency.end(learnt);
    }
    mostUnderWay = underWay.get();
    return count == 0 ? 1 : sum / count;
  }

  /** How many calls may be under way now. */
  int admitted() {
    return admitted;
  }

  int underWay() {
    return underWay.get();
  }

  /** How many calls were refused since the beginning. */
  long refused() {
    return refused.sum();
  }
}
