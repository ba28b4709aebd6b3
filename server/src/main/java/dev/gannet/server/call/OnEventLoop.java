package dev.gannet.server.call;

import dev.gannet.transport.CallEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs handlers of one method with inline dispatch: on the event loop that received the call, as
 * long as they are fast.
 *
 * <pre>
 *              3 of at most 48 measured events are slow
 *   ON LOOPS ────────────────────────────────────────► AWAY (on virtual threads)
 *      ▲───────────────────── a minute ────────────────────┘
 * </pre>
 *
 * <p>After a slow pass over a connection the next 48 events of each method are measured: sixteen
 * unary calls with three events each. A single slow event is not significant, because a pause of
 * the machine stops all loops. So three non-overlapping slow events out of 48 are needed; then the
 * counters are reset.
 *
 * <p>Any thread; the counters are not exact if several loops count at the same time.
 */
public final class OnEventLoop implements HandlerRunner {
  /** An event with this duration is slow: every connection of the loop has waited for it. */
  static final long SLOW_NANOS = Duration.ofMillis(10).toNanos();

  private static final Logger LOG = System.getLogger(OnEventLoop.class.getName());
  private static final Duration AWAY = Duration.ofMinutes(1);
  private static final int TIMED_EVENTS = 48;
  private static final int SLOW_EVENTS = 3;

  private final SlowPassCounter counter;
  private final String fullMethodName;
  private final AtomicLong lastSlowEndNanos;
  private int slowPassesSeen;
  private int eventsToTime;
  private int events;
  private int slowEvents;
  private volatile boolean away;
  private volatile long comesBackNanos;

  public OnEventLoop(SlowPassCounter counter, String fullMethodName) {
    this.counter = counter;
    this.fullMethodName = fullMethodName;
    this.lastSlowEndNanos = new AtomicLong(counter.nanoTime());
  }

  /** The runner of a call that has just arrived: this one, unless the method was moved. */
  public HandlerRunner forCall() {
    return updateAway() ? new OnVirtualThread(counter.virtualThreads()) : this;
  }

  /** Moves the method back to the loops when its time is over; returns whether it is away. */
  private boolean updateAway() {
    if (away && counter.nanoTime() - comesBackNanos >= 0) {
      away = false;
    }
    return away;
  }

  /**
   * A call that started on its loop is moved if its method was moved meanwhile. A thread that
   * requests a message that had arrived does not deliver it: it may hold locks of the handler.
   */
  @Override
  public void execute(Runnable task, IncomingCall<?, ?> call) {
    if (call.isLongToRead() || updateAway()) {
      counter.virtualThreads().execute(task);
    } else {
      call.stream().runOnLoop(task);
    }
  }

  @Override
  public void deliver(CallEvent event, IncomingCall<?, ?> call) {
    if (!updateTimed() || !call.isOnLoop()) {
      call.deliver(event);
      return;
    }
    long beganNanos = counter.nanoTime();
    try {
      call.deliver(event);
    } finally {
      count(beganNanos, counter.nanoTime());
    }
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  /** After a slow pass, begins to measure; returns whether the next event is measured. */
  private boolean updateTimed() {
    int slowPasses = counter.slowPasses();
    if (slowPasses != slowPassesSeen) {
      slowPassesSeen = slowPasses;
      eventsToTime = TIMED_EVENTS;
    }
    return eventsToTime > 0;
  }

  private void count(long beganNanos, long endNanos) {
    eventsToTime--;
    events++;
    if (endNanos - beganNanos >= SLOW_NANOS && trySetLastSlow(beganNanos, endNanos)) {
      slowEvents++;
    }
    if (slowEvents >= SLOW_EVENTS && !away) {
      events = TIMED_EVENTS;
      comesBackNanos = endNanos + TimeUnit.NANOSECONDS.convert(AWAY);
      away = true;
      warn(Duration.ofNanos(endNanos - beganNanos));
    }
    if (events >= TIMED_EVENTS) {
      events = 0;
      slowEvents = 0;
    }
  }

  /**
   * Returns whether this slow event counts: of several that overlap on several loops only one does,
   * because a pause made them all slow.
   */
  private boolean trySetLastSlow(long beganNanos, long endNanos) {
    long lastNanos = lastSlowEndNanos.get();
    return beganNanos - lastNanos >= 0 && lastSlowEndNanos.compareAndSet(lastNanos, endNanos);
  }

  private void warn(Duration held) {
    try {
      LOG.log(
          Level.WARNING,
          "{0} has blocked an event loop for {1} ms, for the third time: its calls run on virtual"
              + " threads for the next {2} s; Dispatch.inline() is for handlers that return within"
              + " microseconds",
          fullMethodName,
          held.toMillis(),
          AWAY.toSeconds());
    } catch (RuntimeException e) {
      // A failing log must not affect the call.
    }
  }
}
