package dev.gannet.testing;

import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A clock that only moves when a test moves it: for deadlines, backoffs, retries and all other
 * timers of in-process channels and servers ({@link Testbed#inProcess(VirtualClock)}).
 *
 * <p>It replaces only time: handlers and blocking callers still run on their threads. Expired
 * timers run on the thread that calls {@link #advance}. A thread that waits for a call cannot move
 * the clock, so calls that end only by time must be made with an asynchronous client, or on another
 * thread. A call that waits while nobody moves the clock does not hang: after five seconds of real
 * time ({@link Testbed#patience}) it ends with {@code CANCELLED}, and the description says so.
 *
 * <p>{@code withDeadline(Duration)} uses this clock. A {@code Deadline} must name it: {@code
 * Deadline.after(duration, clock::nanoTime)}. Safe for all threads.
 */
public final class VirtualClock {
  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.<Timer>comparingLong(it -> it.atNanos).thenComparingLong(it -> it.number));
  private final Scheduler scheduler = new Timers();
  private long nowNanos;
  private long nextNumber;
  private long moves;
  private @Nullable Thread advancing;

  private VirtualClock() {}

  /** A clock at zero. */
  public static VirtualClock create() {
    return new VirtualClock();
  }

  /** A scheduled task. */
  private final class Timer implements Scheduler.Cancellable {
    private final long atNanos;
    private final long number;
    private final Runnable task;

    Timer(long atNanos, long number, Runnable task) {
      this.atNanos = atNanos;
      this.number = number;
      this.task = task;
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        timers.remove(this);
      } finally {
        lock.unlock();
      }
    }
  }

  /** The engines' view of this clock. */
  private final class Timers implements Scheduler {
    private final RandomGenerator random = new SplittableRandom(1);

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      lock.lock();
      try {
        Timer timer = new Timer(after(Math.max(0, delayNanos)), nextNumber++, task);
        timers.add(timer);
        return timer;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void offload(Runnable task) {
      Thread.ofVirtual().name("gannet-testing").start(task);
    }

    @Override
    public RandomGenerator random() {
      return this::nextLong;
    }

    private long nextLong() {
      lock.lock();
      try {
        return random.nextLong();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long nanoTime() {
      return VirtualClock.this.nanoTime();
    }
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** The time since the clock was created, in nanoseconds. */
  public long nanoTime() {
    lock.lock();
    try {
      return nowNanos;
    } finally {
      lock.unlock();
    }
  }

  /** The time since the clock was created. */
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime());
  }

  /**
   * Moves the clock forward. Timers that expire run on this thread, in the order of their times,
   * each at its own time.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if a timer, or another thread, moves the clock at the same time
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("the clock cannot go back: " + duration);
    }
    long endNanos;
    lock.lock();
    try {
      if (advancing != null) {
        throw new IllegalStateException("the clock is being moved already, by " + advancing);
      }
      advancing = Thread.currentThread();
      moves++;
      endNanos = after(TimeUnit.NANOSECONDS.convert(duration));
    } finally {
      lock.unlock();
    }
    try {
      for (Optional<Timer> next = takeUntil(endNanos);
          next.isPresent();
          next = takeUntil(endNanos)) {
        next.get().task.run();
      }
    } finally {
      lock.lock();
      try {
        advancing = null;
      } finally {
        lock.unlock();
      }
    }
  }

  /** The time after this delay, or the end of the clock if that is earlier. With the lock. */
  private long after(long delayNanos) {
    return nowNanos + Math.min(delayNanos, Long.MAX_VALUE - nowNanos);
  }

  /**
   * The next timer that expires, with the clock set to its time; empty, with the clock set to the
   * end.
   */
  private Optional<Timer> takeUntil(long endNanos) {
    lock.lock();
    try {
      Timer first = timers.peek();
      if (first == null || first.atNanos > endNanos) {
        nowNanos = endNanos;
        return Optional.empty();
      }
      timers.remove();
      nowNanos = Math.max(nowNanos, first.atNanos);
      return Optional.of(first);
    } finally {
      lock.unlock();
    }
  }

  /** The number of pending timers: deadlines, backoffs, delayed replies of a fake server. */
  public int pendingTimers() {
    lock.lock();
    try {
      return timers.size();
    } finally {
      lock.unlock();
    }
  }

  /** The time until the next of them. */
  public Optional<Duration> untilNextTimer() {
    lock.lock();
    try {
      return Optional.ofNullable(timers.peek())
          .map(it -> Duration.ofNanos(Math.max(0, it.atNanos - nowNanos)));
    } finally {
      lock.unlock();
    }
  }

  /** How often the clock was moved. */
  long moves() {
    lock.lock();
    try {
      return moves;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "VirtualClock(" + elapsed() + ")";
  }
}
