package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The limit finds what a server can do that serves so many calls at once and has the others wait,
 * in virtual time.
 */
final class AdaptiveLimitTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;
  private static final long PATIENCE = 2 * MILLI;

  /**
   * Calls come at a fixed rate on average; each that is admitted waits for a permit and holds it.
   */
  private static final class Served {
    private record Call(long beganNanos, long endNanos, boolean slow) {}

    private final Random random = new Random(1);
    private final AdaptiveLimit.Latency fast = new AdaptiveLimit.Latency();
    private final AdaptiveLimit.Latency slow = new AdaptiveLimit.Latency();
    private final AdaptiveLimit limit;
    private final PriorityQueue<Call> running =
        new PriorityQueue<>(Comparator.comparingLong(Call::endNanos));
    private final Queue<Call> waiting = new ArrayDeque<>();
    private long nowNanos;
    private double nextNanos;
    private int permits;
    private long holdNanos;
    private double slowPart;

    /** The part of the calls that are cancelled after 2 ms, while they wait. */
    private double cancelledPart;

    private final Queue<Long> cancelledSince = new ArrayDeque<>();
    private long done;
    private long slowest;

    Served(int first, int permits, long holdNanos) {
      this.limit = new AdaptiveLimit(first, 100_000, List.of(fast, slow), 0);
      this.permits = permits;
      this.holdNanos = holdNanos;
    }

    double capacity() {
      return (double) permits * SECOND / (holdNanos * (1 + 9 * slowPart));
    }

    /** Runs for so long; how many calls ended a second. */
    double run(double callsPerSecond, long nanos) {
      long until = nowNanos + nanos;
      done = 0;
      slowest = 0;
      while (nowNanos < until) {
        Call first = running.peek();
        Long cancelled = cancelledSince.peek();
        if (cancelled != null && cancelled + PATIENCE <= Math.min(endOf(first), nextNanos)) {
          nowNanos = cancelled + PATIENCE;
          cancelledSince.remove();
          limit.leave(fast, cancelled, AdaptiveLimit.CallEnding.CUT_OFF, nowNanos);
        } else if (first != null && first.endNanos <= nextNanos) {
          nowNanos = first.endNanos;
          running.poll();
          limit.leave(
              first.slow ? slow : fast,
              first.beganNanos,
              AdaptiveLimit.CallEnding.ANSWERED,
              nowNanos);
          done++;
          slowest = Math.max(slowest, nowNanos - first.beganNanos);
        } else {
          nowNanos = (long) nextNanos;
          nextNanos += -Math.log(1 - random.nextDouble()) * SECOND / callsPerSecond;
          boolean entered = limit.tryEnter(nowNanos);
          if (entered && random.nextDouble() < cancelledPart) {
            cancelledSince.add(nowNanos);
          } else if (entered) {
            waiting.add(new Call(nowNanos, 0, random.nextDouble() < slowPart));
          }
        }
        begin();
      }
      return (double) done * SECOND / nanos;
    }

    private static double endOf(@Nullable Call call) {
      return call == null ? Double.MAX_VALUE : call.endNanos;
    }

    private void begin() {
      while (running.size() < permits && !waiting.isEmpty()) {
        Call next = waiting.poll();
        long holds = (long) (holdNanos * (next.slow ? 10 : 1) * (0.8 + 0.4 * random.nextDouble()));
        running.add(new Call(next.beganNanos, nowNanos + holds, next.slow));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 20", "20, 20", "10000, 20", "1, 4", "10000, 4", "1, 1000", "10000, 200"})
  void aGoodLimitIsFoundWithinTenSecondsFromAnyStart(int first, int permits) {
    Served served = new Served(first, permits, 5 * MILLI);
    double offered = 4 * served.capacity();
    served.run(offered, 10 * SECOND);
    assertThat(served.run(offered, 10 * SECOND)).isGreaterThan(0.9 * served.capacity());
    assertThat(served.slowest).isLessThan(60 * MILLI);
  }

  @ParameterizedTest
  @CsvSource({"20, 60", "60, 20", "20, 5"})
  void aNewLimitIsFoundWhenTheCapacityChanges(int before, int after) {
    Served served = new Served(20, before, 5 * MILLI);
    double offered = 4 * 200.0 * Math.max(before, after);
    served.run(offered, 10 * SECOND);
    served.permits = after;
    served.run(offered, 10 * SECOND);
    assertThat(served.run(offered, 10 * SECOND)).isGreaterThan(0.9 * served.capacity());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20, 100})
  void aNewLimitIsFoundWhenCallsTakeLonger(long millis) {
    Served served = new Served(20, 20, 5 * MILLI);
    served.run(16_000, 10 * SECOND);
    served.holdNanos = millis * MILLI;
    double offered = 4 * served.capacity();
    served.run(offered, 10 * SECOND);
    assertThat(served.run(offered, 10 * SECOND)).isGreaterThan(0.9 * served.capacity());
  }

  @Test
  void aMixtureOfFastAndSlowMethodsIsNoOverload() {
    Served served = new Served(20, 20, 5 * MILLI);
    served.slowPart = 0.2;
    served.run(4 * served.capacity(), 10 * SECOND);
    assertThat(served.run(4 * served.capacity(), 10 * SECOND))
        .isGreaterThan(0.9 * served.capacity());
  }

  @Test
  void theLimitGrowsThoughEachCallTakesLongerThanAPhase() {
    Served served = new Served(20, 100, 5 * SECOND);
    double offered = 4 * served.capacity();
    served.run(offered, 120 * SECOND);
    assertThat(served.run(offered, 120 * SECOND)).isGreaterThan(0.7 * served.capacity());
  }

  /** They take no time, but say nothing about the time that the others take. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.75, 0.9})
  void callsThatAreCancelledEarlyDoNotHideAnOverload(double cancelledPart) {
    Served served = new Served(20, 20, 10 * MILLI);
    served.cancelledPart = cancelledPart;
    served.run(3 * served.capacity() / (1 - cancelledPart), 60 * SECOND);
    assertThat(served.limit.admitted()).isLessThan(200);
    assertThat(served.slowest).isLessThan(200 * MILLI);
  }

  @Test
  void belowItsCapacityAServerRefusesNothing() {
    Served served = new Served(20, 20, 5 * MILLI);
    served.run(2000, 10 * SECOND);
    long before = served.limit.refused();
    served.run(2000, 60 * SECOND);
    assertThat(served.limit.refused() - before).isZero();
  }

  private static int admittedAtOnce(AdaptiveLimit limit, int calls, long nowNanos) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      if (limit.tryEnter(nowNanos)) {
        admitted++;
      }
    }
    return admitted;
  }

  /** However long after the server's start they come. */
  @ParameterizedTest
  @CsvSource({"1, 0, 3", "20, 0, 5", "20, 60, 5", "10000, 0, 2500", "10000, 60, 2500"})
  void aQuarterOfTheInitialLimitIsAdmittedAtFirst(int first, long seconds, int expected) {
    AdaptiveLimit limit = new AdaptiveLimit(first, 100_000, List.of(), 0);
    assertThat(admittedAtOnce(limit, 2 * first + 10, seconds * SECOND)).isEqualTo(expected);
  }

  @Test
  void theFirstLearningBeginsWithTheFirstCall() {
    AdaptiveLimit limit = new AdaptiveLimit(20, 100_000, List.of(), 0);
    admittedAtOnce(limit, 20, 60 * SECOND);
    assertThat(admittedAtOnce(limit, 20, 60 * SECOND + 900 * MILLI)).isZero();
    assertThat(admittedAtOnce(limit, 20, 61 * SECOND)).isEqualTo(15);
  }
}
