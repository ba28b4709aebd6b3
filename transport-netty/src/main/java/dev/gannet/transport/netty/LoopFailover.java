package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.OffLoop;
import dev.gannet.api.engine.WakeUps;
import dev.gannet.transport.Scheduler.Cancellable;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a loop, and what happens to the loop's tasks and timers after the thread has ended:
 * another loop runs them, both those that were left and those that come later.
 *
 * <p>So mail to a connection of the loop is still processed, and no timer is lost. The tasks of a
 * loop that has ended run on one thread at a time, and none before its own thread has ended. Safe
 * for all threads.
 */
final class LoopFailover implements Executor {
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final long RETRY_MILLIS = 100;

  private final NettyEventLoops loops;
  private final ConcurrentLinkedQueue<Runnable> left = new ConcurrentLinkedQueue<>();
  private final Set<Timer> timers = ConcurrentHashMap.newKeySet();
  private volatile @Nullable GuardedLoop successor;

  LoopFailover(NettyEventLoops loops) {
    this.loops = loops;
  }

  /** Starts the loop's thread. */
  @Override
  public void execute(Runnable loop) {
    new LoopThread(
            () -> {
              try {
                loop.run();
              } finally {
                failOver();
              }
            })
        .start();
  }

  /**
   * The last action of a thread whose loop has ended. If no other loop can be found, because memory
   * or file descriptors have run out, this thread stays until there is one, and runs the timers
   * that come due: one of them may be a server's next try to listen, after which it shuts down.
   */
  private void failOver() {
    boolean done = loops.isShutDown();
    while (!done) {
      done = tryToFailOver() || loops.isShutDown();
      if (!done) {
        pause();
        runDueTimers();
      }
    }
  }

  private void runDueTimers() {
    for (Timer timer : timers) {
      try {
        if (timer.dueNanos - System.nanoTime() <= 0) {
          timer.run();
        }
      } catch (Throwable e) {
        // As after a task.
      }
    }
  }

  private boolean tryToFailOver() {
    try {
      GuardedLoop next = loops.next();
      next.execute(() -> {}); // starts its thread, if that can be started
      // write-then-check with take and passOn: successor first, then the tasks and timers
      successor = next;
      if (!left.isEmpty()) {
        GuardedLoop.execute(next, this::runLeft);
      }
      for (Timer timer : timers) {
        next.adopt(timer);
      }
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      // This thread ends only when its work is done.
    }
  }

  /**
   * Takes a task that the loop has rejected; false if it was shut down, so that nothing will ever
   * run it.
   */
  boolean take(Runnable task) {
    if (loops.isShutDown()) {
      return false;
    }
    left.add(task);
    // write-then-check with tryToFailOver: the task first, then successor
    GuardedLoop next = successor;
    if (next != null) {
      GuardedLoop.execute(next, this::runLeft);
    }
    return true;
  }

  private void runLeft() {
    for (Runnable task = left.poll(); task != null; task = left.poll()) {
      try {
        task.run();
      } catch (Throwable e) {
        // Tasks of pipes report their failures themselves.
      }
    }
  }

  boolean isCurrent() {
    GuardedLoop next = successor;
    return next != null && GuardedLoop.isCurrent(next);
  }

  /** Runs the task once, on the given loop or later on its successor. */
  Cancellable runLater(GuardedLoop loop, Runnable task, long delayNanos) {
    Timer timer = new Timer(task, System.nanoTime() + delayNanos);
    try {
      adopt(loop, timer);
    } catch (RuntimeException | Error e) {
      timer.cancel();
      throw e;
    }
    return timer;
  }

  /**
   * Has the given loop, whose failover this is, run a timer that is new or was left by another
   * loop.
   */
  void adopt(GuardedLoop loop, Timer timer) {
    timers.add(timer);
    timer.owner = this;
    // write-then-check with Timer.end: the timer and its owner first, then over
    if (timer.over.get()) {
      timers.remove(timer);
      return;
    }
    try {
      timer.startOn(loop);
    } catch (RejectedExecutionException e) {
      passOn(timer, e);
    }
  }

  /** The loop has ended: the successor takes the timer, now or when there is one. */
  private void passOn(Timer timer, RejectedExecutionException refusal) {
    if (loops.isShutDown()) {
      throw refusal;
    }
    // write-then-check with tryToFailOver: the timer first (in adopt), then successor
    GuardedLoop next = successor;
    if (next != null) {
      timers.remove(timer);
      next.adopt(timer);
    }
  }

  /** A scheduled task; two loops may have it for a moment, and one of them runs it. */
  static final class Timer implements Runnable, Cancellable {
    private final Runnable task;
    private final long dueNanos;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable LoopFailover owner;
    private volatile @Nullable Future<?> future;

    Timer(Runnable task, long dueNanos) {
      this.task = task;
      this.dueNanos = dueNanos;
    }

    void startOn(GuardedLoop loop) {
      long delay = Math.max(0, dueNanos - System.nanoTime());
      future = loop.schedule(this, delay, TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
      if (end()) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      if (end()) {
        Future<?> waiting = future;
        if (waiting != null) {
          waiting.cancel(false);
        }
      }
    }

    private boolean end() {
      // write-then-check with adopt: over first, then owner
      boolean first = over.compareAndSet(false, true);
      LoopFailover keeper = owner;
      if (first && keeper != null) {
        keeper.timers.remove(this);
      }
      return first;
    }
  }

  private static final class LoopThread extends FastThreadLocalThread implements EventLoopThread {
    private final OffLoop offLoop = new OffLoop();
    private final WakeUps wakeUps = new WakeUps(offLoop);

    LoopThread(Runnable work) {
      super(work, "gannet-loop-" + THREADS.incrementAndGet());
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        offLoop.startLeft(); // the loop will not look again
      }
    }

    @Override
    public OffLoop offLoop() {
      return offLoop;
    }

    @Override
    public WakeUps wakeUps() {
      return wakeUps;
    }
  }
}
