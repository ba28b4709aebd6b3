package dev.gannet.transport.netty;

import dev.gannet.transport.Scheduler.Cancellable;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop that continues when an error is thrown while it serves a channel or runs a task,
 * and that closes all its channels if it must end.
 *
 * <pre>
 *   RUNNING ──I/O fails again and again──► ENDED ──its thread has ended──► INHERITED
 * </pre>
 *
 * <p>What is thrown while one channel is served closes that channel. If Netty's I/O itself fails
 * sixteen times in a row, the loop ends: its channels are closed, their owners are notified, and
 * later tasks are run by another loop ({@link LoopFailover}). {@link NettyEventLoops} replaces the
 * loop by a new one. What failed because memory was short is tried again every 50 ms, and a reserve
 * of memory is released for it: closing a channel frees what it holds, but needs some memory first.
 */
final class GuardedLoop extends SingleThreadIoEventLoop {
  private static final Logger LOG = System.getLogger(GuardedLoop.class.getName());

  /** After this many I/O failures without a success between them, the loop will not recover. */
  private static final int MAX_FAILURES_IN_A_ROW = 16;

  private static final long RETRY_NANOS = Duration.ofMillis(50).toNanos();

  /** The clock is read once per this many tasks plus one, which must be a power of two. */
  private static final int CLOCK_MASK = 63;

  /** The memory that closing channels takes when it loads classes that were not needed before. */
  private static final int RESERVE_BYTES = 256 << 10;

  private final LoopFailover failover;
  private byte @Nullable [] reserve = new byte[RESERVE_BYTES];
  private @Nullable LoopMember first;
  private int watched;
  private int failuresInARow;
  private volatile boolean ended;

  /**
   * A loop whose thread starts with its first task.
   *
   * @param io creates the I/O handler that serves its channels
   * @param guard wraps each channel
   * @param failover runs tasks after the loop has ended, and creates its thread
   */
  GuardedLoop(IoHandlerFactory io, GuardedIo.Guard guard, LoopFailover failover) {
    super(
        null,
        failover,
        executor -> new GuardedIo(io.newHandler(executor), guard, (GuardedLoop) executor));
    this.failover = failover;
  }

  /** Whether it has ended or was shut down. Any thread. */
  boolean hasEnded() {
    return ended || isShuttingDown();
  }

  @Override
  protected void run() {
    try {
      super.run();
    } catch (Throwable e) {
      end(e);
    }
  }

  /** Channels that have events are reported again in the next pass, so nothing is lost here. */
  @Override
  protected int runIo() {
    try {
      int handled = super.runIo();
      failuresInARow = 0;
      return handled;
    } catch (Throwable e) {
      if (++failuresInARow >= MAX_FAILURES_IN_A_ROW) {
        throw e;
      }
      return 0;
    }
  }

  /**
   * Runs tasks, then timers that were due when it began. Netty's own method moves due timers to the
   * tasks, and loses one if there is no memory for that.
   */
  @Override
  protected boolean runAllTasks(long timeoutNanos) {
    long beganNanos = ticker().nanoTime();
    int ran = 0;
    for (Runnable task = pollTask(); task != null; task = pollTask()) {
      run(task);
      if ((++ran & CLOCK_MASK) == 0 && ticker().nanoTime() - beganNanos >= timeoutNanos) {
        break;
      }
    }
    for (Runnable timer = pollScheduledTask(beganNanos);
        timer != null;
        timer = pollScheduledTask(beganNanos)) {
      run(timer);
      ran++;
    }
    finishTasks();
    return ran > 0;
  }

  @Override
  protected boolean runAllTasks() {
    boolean ran = false;
    for (Runnable task = pollTask(); task != null; task = pollTask()) {
      run(task);
      ran = true;
    }
    finishTasks();
    return ran;
  }

  /** Logging what a task throws may fail, too. */
  private static void run(Runnable task) {
    try {
      safeExecute(task);
    } catch (Throwable e) {
      // there is nothing else to report to
    }
  }

  private void finishTasks() {
    updateLastExecutionTime();
    lookAtWatched();
    try {
      afterRunningAllTasks();
    } catch (Throwable e) {
      // As after a task.
    }
  }

  @Override
  protected void cancelScheduledTasks() {
    try {
      super.cancelScheduledTasks();
    } catch (Throwable e) {
      // Owners of timers here learn of the end in another way.
    }
  }

  @Override
  protected long deadlineNanos() {
    long nanos = super.deadlineNanos();
    if (watched == 0) {
      return nanos;
    }
    long retryNanos = ticker().nanoTime() + RETRY_NANOS;
    return nanos == -1 ? retryNanos : Math.min(nanos, retryNanos); // -1 means that there is none
  }

  @Override
  protected long delayNanos(long currentTimeNanos) {
    long nanos = super.delayNanos(currentTimeNanos);
    return watched == 0 ? nanos : Math.min(nanos, RETRY_NANOS);
  }

  void join(LoopMember member) {
    member.listed = true;
    member.after = first;
    if (first != null) {
      first.before = member;
    }
    first = member;
  }

  void leave(LoopMember member) {
    if (!member.listed) {
      return;
    }
    member.listed = false;
    LoopMember before = member.before;
    LoopMember after = member.after;
    member.before = null;
    member.after = null;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after != null) {
      after.before = before;
    }
  }

  /**
   * Has the member look at its state after the tasks of each round, at least every 50 ms, until it
   * needs that no more. Allocates nothing, unlike a timer.
   */
  void watch(LoopMember member) {
    if (member.watched) {
      return;
    }
    if (!member.listed) {
      join(member);
    }
    member.watched = true;
    watched++;
  }

  /** Something was thrown while that was served. Throws nothing. */
  void failMembersOf(IoHandle handle, Throwable thrown) {
    boolean found = false;
    LoopMember after;
    for (LoopMember member = first; member != null; member = after) {
      after = member.after;
      if (member.isServedBy(handle)) {
        found = true;
        member.failAndLog(thrown);
      }
    }
    if (!found) {
      close(handle);
    }
  }

  private static void close(IoHandle handle) {
    try {
      handle.close();
    } catch (Throwable e) {
      // The channel is not set up yet, and nobody waits for it.
    }
  }

  private void lookAtWatched() {
    if (watched == 0) {
      refillReserve();
      return;
    }
    reserve = null;
    LoopMember after;
    for (LoopMember member = first; member != null; member = after) {
      after = member.after;
      if (member.watched && member.look()) {
        member.watched = false;
        watched--;
        leaveIfOver(member);
      }
    }
  }

  private void leaveIfOver(LoopMember member) {
    if (!member.isServed()) {
      leave(member);
    }
  }

  private void refillReserve() {
    if (reserve != null) {
      return;
    }
    try {
      reserve = new byte[RESERVE_BYTES];
    } catch (OutOfMemoryError e) {
      // This is tried again after the next tasks.
    }
  }

  /** On the loop's thread, while it still accepts tasks. */
  private void end(Throwable cause) {
    ended = true;
    Throwable why = wordsOf(cause);
    LoopMember after;
    for (LoopMember member = first; member != null; member = after) {
      after = member.after;
      member.fail(why);
    }
    refuseTasks();
    runAllTasks();
    while (watched > 0) { // which ends, because members give up
      LockSupport.parkNanos(RETRY_NANOS);
      runAllTasks();
    }
    log(cause);
  }

  private static Throwable wordsOf(Throwable cause) {
    String words = "the event loop of the connection has ended: ";
    try {
      return new IOException(words + ErrorText.whateverComes(cause), cause);
    } catch (Throwable e) {
      return cause; // it has a text of its own
    }
  }

  /** As Netty requires of loops that end by themselves. */
  private void refuseTasks() {
    try {
      shutdownGracefully(0, 0, TimeUnit.SECONDS);
      confirmShutdown();
    } catch (Throwable e) {
      // Netty does it again after this.
    }
  }

  /** On the thread of the loop. */
  private static void log(Throwable cause) {
    try {
      LOG.log(
          Level.ERROR,
          "the event loop "
              + Thread.currentThread().getName()
              + " has ended because of an error; its connections are closed, and a new loop"
              + " replaces it",
          cause);
    } catch (Throwable e) {
      // there is nothing else to report to
    }
  }

  /** Runs the task on that loop, or on the one that has replaced it. Any thread. */
  static void execute(EventLoop loop, Runnable task) {
    if (loop instanceof GuardedLoop guarded) {
      guarded.executeOrPassOn(task);
    } else {
      loop.execute(task);
    }
  }

  private void executeOrPassOn(Runnable task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      if (!failover.take(task)) {
        throw e;
      }
    }
  }

  /** Whether the calling thread runs the tasks of that loop. */
  static boolean isCurrent(EventLoop loop) {
    return loop.inEventLoop()
        || (loop instanceof GuardedLoop guarded && guarded.failover.isCurrent());
  }

  /** Runs the task once after the delay, here or on the loop that has replaced this one. */
  Cancellable runLater(Runnable task, long delayNanos) {
    return failover.runLater(this, task, delayNanos);
  }

  /** Runs a timer that was left by a loop that has ended. */
  void adopt(LoopFailover.Timer timer) {
    failover.adopt(this, timer);
  }
}
