package dev.gannet.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A limit on concurrent calls that is learned from their latency: while calls take as long as they
 * do with few concurrent calls, the limit grows; when they take longer, it shrinks in proportion.
 * It converges to the point where calls begin to wait for each other.
 *
 * <pre>
 *       first call          10 samples, or 1 to 20 s
 *   NEW ──────────► LEARNING ──────────────────────► LIMITING
 *                      ▲                                │
 *                      └── 4 s or more, calls refused ──┘
 * </pre>
 *
 * <p>While it is LEARNING, only a quarter of the previous number of calls is admitted (at first, of
 * the initial limit), so that calls do not wait for each other, and the mean latency of each method
 * becomes the method's base. While it is LIMITING, time is divided into windows of 100 ms or more.
 * Each call is compared with the base of its own method, so that a mixture of fast and slow methods
 * does not count as overload. A window with at most three concurrent calls counts as learning, too.
 * While no call is refused, nothing has to be learned again: a server below its limit refuses none
 * for this purpose.
 *
 * <p>Only calls that begin while it is LEARNING run beside few others. So this phase waits for
 * samples for twice the latency of the slowest method: once for the calls that run already, and
 * once for those that are measured. LIMITING lasts in proportion, and until a window had enough
 * samples: phases shorter than the calls would never have a sample.
 *
 * <p>Safe for all threads; time is an argument. No lock is held while a call is admitted or ends,
 * except for the call that ends a window.
 */
final class AdaptiveLimit {
  private static final long WINDOW_NANOS = 100_000_000;
  private static final int MIN_SAMPLES = 10;

  /** How long LEARNING waits for samples if calls take no longer. */
  private static final long LEARNING_NANOS = 1_000_000_000;

  /** How long LEARNING waits for samples, however long calls take. */
  private static final long MAX_LEARNING_NANOS = 20_000_000_000L;

  private static final long LIMITING_NANOS = 4_000_000_000L;

  /** LIMITING lasts at least so many times as long as the LEARNING before it. */
  private static final int LIMITING_PER_LEARNING = 4;

  /** The minimum of LIMITING if no window of it had enough samples. */
  private static final long LIMITING_WITHOUT_SAMPLES_NANOS = 20_000_000_000L;

  /** After this time without a call of a method, a call starts even if it seems to be too late. */
  private static final long PROBE_NANOS = 1_000_000_000;

  private static final int MIN_WHILE_LEARNING = 3;

  /** The factor by which calls may take longer than their base before the limit shrinks. */
  private static final double TOLERANCE = 1.5;

  /** Below this factor the limit grows by a quarter per window; above it, by its square root. */
  private static final double UNLOADED = 1.1;

  private enum Phase {
    NEW,
    LEARNING,
    LIMITING
  }

  /** How an admitted call has ended, as far as its latency is concerned. */
  enum CallEnding {
    /** The handler has answered. */
    ANSWERED,
    /** The handler has answered, and the call was a probe. */
    PROBE_ANSWERED,
    /** The deadline or the client has ended the call before the handler answered. */
    CUT_OFF
  }

  /** The latency of the calls of one method. */
  static final class Latency {
    private final LongAdder nanos = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private volatile double baseNanos;

    /** The mean of the last window; 0 if no call ended in it. Guarded by the limit's lock. */
    private double meanNanos;

    /** The approximate time at which a call last ended, or last began as a probe. */
    private final AtomicLong sampledNanos = new AtomicLong();

    /**
     * Starts a call that seems to be too late as a probe, if no call has ended for a while: if all
     * were refused, the latency would never be measured again. Returns false if it must be refused.
     */
    boolean tryStartProbe(long nowNanos) {
      long lastNanos = sampledNanos.get();
      return nowNanos - lastNanos >= PROBE_NANOS && sampledNanos.compareAndSet(lastNanos, nowNanos);
    }

    /** The latency of a call that does not wait for others; 0 while it is unknown. */
    double baseNanos() {
      return baseNanos;
    }

    /**
     * Uses a call as a sample if it says something about latency; returns whether it does. A call
     * that was cut off would have taken longer than it did: it counts only if it was slow already.
     * A probe only lowers the base, because no other calls may be running. It lowers the base to no
     * less than half, because one call may be an exception.
     */
    private boolean takeSample(long took, CallEnding how, long nowNanos) {
      double base = baseNanos;
      if (how == CallEnding.PROBE_ANSWERED) {
        baseNanos = Math.min(base, Math.max((double) took, base / 2));
        return false;
      }
      if (how == CallEnding.CUT_OFF && (base == 0 || took < base)) {
        return false;
      }
      nanos.add(took);
      calls.increment();
      if (Math.abs(nowNanos - sampledNanos.get()) >= PROBE_NANOS / 4) { // not for each call
        sampledNanos.set(nowNanos);
      }
      return true;
    }

    /**
     * Ends a window; returns the sum of the ratios of its calls to the base, or 0 without calls.
     */
    private double end(boolean learnt) {
      long count = calls.sumThenReset();
      double sum = nanos.sumThenReset();
      double mean = count == 0 ? 0 : sum / count;
      meanNanos = mean;
      if (count == 0) {
        return 0;
      }
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

  /** The current number of admitted calls: the limit, or a part of it while learning. */
  private volatile int admitted;

  private volatile long windowEndNanos;

  /**
   * Calls that began before this were admitted under another limit, and are not used as samples.
   */
  private volatile long samplesSinceNanos;

  private volatile int mostUnderWay;

  // Guarded by ending.
  private Phase phase = Phase.NEW;
  private double limit;
  private long phaseSinceNanos;
  private long refusedBeforePhase;
  private long limitingNanos = LIMITING_NANOS;

  /** The longest mean of a method since the last LEARNING began; 0 if no call has ended. */
  private long slowestNanos;

  /** Whether a window of this LIMITING had enough samples. */
  private boolean hasAdapted;

  /**
   * A limit that starts by learning, from its first call on.
   *
   * @param first the limit after the first learning, 1 or more
   * @param most the maximum limit
   * @param latencies the latencies of all methods whose calls are counted here
   */
  AdaptiveLimit(int first, int most, Iterable<Latency> latencies, long nowNanos) {
    this.limit = first;
    this.most = most;
    this.latencies = latencies;
    this.windowEndNanos = nowNanos;
    this.samplesSinceNanos = nowNanos;
    this.admitted = whileLearning(first);
  }

  /** Whether one more call may start; if so, {@link #leave} must follow once. */
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
      mostUnderWay = now; // a race may lose a few calls, which does not matter
    }
    return true;
  }

  /** A call that began at this time has ended. */
  void leave(Latency method, long beganNanos, CallEnding how, long nowNanos) {
    underWay.decrementAndGet();
    long took = Math.max(1, nowNanos - beganNanos);
    if (beganNanos - samplesSinceNanos >= 0 && method.takeSample(took, how, nowNanos)) {
      samples.increment();
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
    long phaseNanos = nowNanos - phaseSinceNanos;
    switch (phase) {
      case NEW -> {
        mostUnderWay = (int) limit;
        learn(nowNanos);
      }
      case LEARNING -> {
        if (enough || phaseNanos >= maxLearningNanos()) {
          beginLimiting(nowNanos);
        }
      }
      case LIMITING -> {
        boolean isOver =
            phaseNanos >= limitingNanos
                && (hasAdapted || phaseNanos >= LIMITING_WITHOUT_SAMPLES_NANOS);
        if (isOver && refused.sum() > refusedBeforePhase) {
          learn(nowNanos);
        } else if (enough) {
          adapt(nowNanos);
        }
      }
    }
  }

  private long maxLearningNanos() {
    return Math.clamp(2 * slowestNanos, LEARNING_NANOS, MAX_LEARNING_NANOS);
  }

  private void beginLimiting(long nowNanos) {
    slowestNanos = 0;
    endSamples(true);
    limitingNanos = Math.max(LIMITING_NANOS, LIMITING_PER_LEARNING * (nowNanos - phaseSinceNanos));
    hasAdapted = false;
    phase = Phase.LIMITING;
    beginPhase(nowNanos);
    admit(limit);
  }

  private void beginPhase(long nowNanos) {
    phaseSinceNanos = nowNanos;
    refusedBeforePhase = refused.sum();
  }

  private void adapt(long nowNanos) {
    hasAdapted = true;
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
    admitted = whileLearning(Math.min(limit, mostUnderWay));
    endSamples(false);
  }

  private int whileLearning(double used) {
    return (int) Math.min(most, Math.max(MIN_WHILE_LEARNING, used / 4));
  }

  private void admit(double calls) {
    limit = Math.min(most, Math.max(1, calls));
    admitted = (int) limit;
  }

  /** The mean ratio of the window's calls to their base; 1 without calls. */
  private double endSamples(boolean learnt) {
    long count = samples.sumThenReset();
    double sum = 0;
    for (Latency latency : latencies) {
      sum += latency.end(learnt);
      slowestNanos = Math.max(slowestNanos, (long) latency.meanNanos);
    }
    mostUnderWay = underWay.get();
    return count == 0 ? 1 : sum / count;
  }

  /** The current limit. */
  int admitted() {
    return admitted;
  }

  int underWay() {
    return underWay.get();
  }

  /** The total number of refused calls. */
  long refused() {
    return refused.sum();
  }
}
