package dev.gannet.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the calls of one method with inline dispatch run: on the event loop that brings them, as
 * long as that is quick.
 *
 * <pre>
 *               three of at most 48 timed events are slow
 *   ON LOOPS ────────────────────────────────────────────────► AWAY
 *      ▲──────────────────────── a minute ──────────────────────┘
 * </pre>
 *
 * <p>One slow event says little: the machine may have paused, and all loops with it. So it takes
 * some, none of them while another one was, and they are forgotten with the events among which they
 * were. A unary call is three events, of which its handler is the last.
 */
final class InlineMethod implements Executor {
  /** An event that takes so long is slow: every connection of the loop has waited for it. */
  static final long SLOW_NANOS = Duration.ofMillis(10).toNanos();

  private static final Logger LOG = System.getLogger(InlineMethod.class.getName());
  private static final Duration AWAY = Duration.ofMinutes(1);
  private static final int EVENTS_AT_A_TIME = 48;
  private static final int SLOW_EVENTS = 3;

  private final InlineGuard guard;
  private final String fullMethodName;
  private final AtomicLong lastSlowEndNanos = new AtomicLong();

  // Several loops may count here, and one event be lost by that.
  private int slowPassesSeen;
  private int eventsToTime;
  private int events;
  private int slowEvents;

  private volatile boolean away;
  private volatile long comesBackNanos;

  InlineMethod(InlineGuard guard, String fullMethodName) {
    this.guard = guard;
    this.fullMethodName = fullMethodName;
    this.lastSlowEndNanos.set(guard.nanoTime());
  }

  /** Where calls run that must not hold a loop. */
  Executor elsewhere() {
    return guard.elsewhere();
  }

  /** Whether calls are to begin elsewhere for now. */
  boolean isAway() {
    if (away && guard.nanoTime() - comesBackNanos >= 0) {
      away = false;
    }
    return away;
  }

  /**
   * Runs what belongs to a call that began on its loop: there, or elsewhere if it had better.
   *
   * @throws RejectedExecutionException if it is to run elsewhere and cannot
   */
  @Override
  public void execute(Runnable task) {
    if (isAway()) {
      guard.elsewhere().execute(task);
    } else {
      task.run();
    }
  }

  /** Whether what happens on loops is to be timed. */
  boolean isWatched() {
    int slowPasses = guard.slowPasses();
    if (slowPasses != slowPassesSeen) {
      slowPassesSeen = slowPasses;
      eventsToTime = EVENTS_AT_A_TIME;
    }
    return eventsToTime > 0;
  }

  /** Lets an event happen on a loop, and counts how long it takes. */
  void time(Runnable event) {
    long beganNanos = guard.nanoTime();
    eventsToTime = guard.isOver(beganNanos) ? 0 : eventsToTime - 1;
    try {
      event.run();
    } finally {
      count(beganNanos, guard.nanoTime());
    }
  }

  private void count(long beganNanos, long endNanos) {
    events++;
    if (endNanos - beganNanos >= SLOW_NANOS && isFirstOfItsTime(beganNanos, endNanos)) {
      slowEvents++;
    }
    if (slowEvents >= SLOW_EVENTS && !away) {
      events = EVENTS_AT_A_TIME;
      comesBackNanos = endNanos + AWAY.toNanos();
      away = true;
      warn(Duration.ofNanos(endNanos - beganNanos));
    }
    if (events >= EVENTS_AT_A_TIME) {
      events = 0;
      slowEvents = 0;
    }
  }

  /**
   * Of slow events on several loops at a time one counts: that all were slow is not their doing.
   */
  private boolean isFirstOfItsTime(long beganNanos, long endNanos) {
    long lastNanos = lastSlowEndNanos.get();
    return beganNanos - lastNanos >= 0 && lastSlowEndNanos.compareAndSet(lastNanos, endNanos);
  }

  private void warn(Duration held) {
    try {
      LOG.log(
          Level.WARNING,
          "{0} has held an event loop for {1} ms, and not for the first time: its calls run on"
              + " virtual threads for the next {2} s; inline dispatch is for handlers that are done"
              + " in microseconds",
          fullMethodName,
          held.toMillis(),
          AWAY.toSeconds());
    } catch (RuntimeException e) {
      // A log that cannot be written costs no call.
    }
  }
}
