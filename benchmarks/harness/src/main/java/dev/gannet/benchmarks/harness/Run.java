package dev.gannet.benchmarks.harness;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * What the loops of one measurement share: the phase they are in, how many are under way, and the
 * first failure, which ends the run for all of them.
 *
 * <pre>
 *   WARMING_UP ──► MEASURING ──► OVER
 *        └──────────failure───────▲
 * </pre>
 *
 * <p>A call that began before the run was over is measured too when it ends after, so that what a
 * round costs is the cost of just the calls that it counts. Any thread may call any method.
 */
public final class Run {
  private enum Phase {
    WARMING_UP,
    MEASURING,
    OVER
  }

  private static final long LOOK_NANOS = 100_000;

  private final Load.Payloads payloads;
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final CountDownLatch failed = new CountDownLatch(1);
  private final AtomicLong underWay = new AtomicLong();
  private volatile Phase phase = Phase.WARMING_UP;

  public Run(Load.Payloads payloads) {
    this.payloads = payloads;
  }

  /** Checks that a reply has the requested payload; otherwise the run has failed. */
  public boolean checkPayload(int payloadBytes) {
    if (payloadBytes == payloads.serverBytes()) {
      return true;
    }
    fail("a reply has " + payloadBytes + " bytes of payload instead of " + payloads.serverBytes());
    return false;
  }

  /** Whether calls that end now are counted. */
  public boolean countsCalls() {
    return phase != Phase.WARMING_UP;
  }

  /** Whether no further call may start. */
  public boolean isOver() {
    return phase == Phase.OVER;
  }

  /** Ends the run with a failure; only the first one is reported. */
  public void fail(String what) {
    if (failure.compareAndSet("", what)) {
      phase = Phase.OVER;
      failed.countDown();
    }
  }

  /** The failure, if there is one. */
  public Optional<String> failure() {
    return Optional.of(failure.get()).filter(it -> !it.isEmpty());
  }

  /** Called before each loop, or each call of an open pace, starts. */
  public void loopBegins() {
    underWay.incrementAndGet();
  }

  /** Called by each loop, or each call of an open pace, at its end. */
  public void loopEnded() {
    underWay.decrementAndGet();
  }

  /** The number of loops, or calls of an open pace, that have not ended. */
  long underWay() {
    return underWay.get();
  }

  /** Enters the measuring phase unless the run has failed. */
  void beginMeasuring() {
    if (failed.getCount() > 0) {
      phase = Phase.MEASURING;
    }
  }

  void end() {
    phase = Phase.OVER;
  }

  /** Sleeps for this time, or until the run fails. */
  void sleepUnlessFailed(Duration time) throws InterruptedException {
    if (failed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      phase = Phase.OVER;
    }
  }

  /** Waits for the last call of each loop; returns whether all have ended. */
  boolean awaitLoops(Duration longest) {
    long giveUpNanos = System.nanoTime() + longest.toNanos();
    while (underWay.get() > 0) {
      if (System.nanoTime() - giveUpNanos > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }
}
