package dev.gannet.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How much the connections of a process may hold together: messages that nobody took, parts of
 * messages, and what waits to be sent.
 *
 * <pre>
 *   0 ────────── 40 % ──────── 50 % ─────────────── 100 %
 *      no limit      │  scarce: windows are small,    │ the connections that hold
 *                    │  and none grows                │ the most are closed
 * </pre>
 *
 * <p>It is one for all servers and channels of a process unless a builder is told otherwise, and a
 * quarter of the largest heap; each connection is bounded by its own limits besides. Connections
 * report in steps of 64 KiB, smaller ones where there are thousands. Safe for all threads.
 */
public final class MemoryBudget {
  /** Why a connection was closed that held the most. */
  public static final String SHED = "memory is short, and no connection holds more of it";

  private static final long SMALLEST_OF_PROCESS_BYTES = 32L << 20;
  private static final long LARGEST_STEP_BYTES = 64 << 10;

  /** A fall of less is not worth a word. */
  private static final long SMALL_BYTES = 1 << 10;

  private static final long SMALLEST_STEP_BYTES = 1 << 10;
  private static final MemoryBudget PROCESS =
      ofBytes(Math.max(SMALLEST_OF_PROCESS_BYTES, Runtime.getRuntime().maxMemory() / 4));

  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicInteger queues = new AtomicInteger();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean scarce;
  private volatile long stepBytes = LARGEST_STEP_BYTES;

  private MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The budget that all share who name none: a quarter of the largest heap, 32 MiB at least. */
  public static MemoryBudget ofProcess() {
    return PROCESS;
  }

  /**
   * A budget of its own.
   *
   * @param bytes what connections may hold together before one is closed
   * @throws IllegalArgumentException if that is not positive
   */
  public static MemoryBudget ofBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory budget must be positive: " + bytes);
    }
    return new MemoryBudget(bytes);
  }

  /** What connections may hold together before one is closed. */
  public long limitBytes() {
    return limitBytes;
  }

  /** What connections hold now, as far as they have reported. */
  public long heldBytes() {
    return heldBytes.get();
  }

  /**
   * Calls have queued so much more to be sent, or less. Said at once, by whoever sends: connections
   * tell what they hold when they come to it, and others may send much meanwhile.
   *
   * @param connections how many more connections have a queue that is worth being told of, or less
   */
  public void changeQueued(long bytes, int connections) {
    queues.addAndGet(connections);
    queuedBytes.addAndGet(bytes);
  }

  /**
   * How much a connection may have queued to be sent: anything while all together have less than
   * half of the budget, then an equal part of that half. Beyond the budget it is nothing, until
   * those that hold the most are closed.
   */
  public long queuePartBytes() {
    long queued = queuedBytes.get();
    if (queued <= limitBytes / 2) {
      return Long.MAX_VALUE;
    }
    return queued <= limitBytes ? limitBytes / 2 / Math.max(1, queues.get()) : 0;
  }

  /**
   * A message is decompressed into so much memory, and parsed from there; false, and nothing is
   * taken, if there is not so much left.
   */
  boolean takeForInflating(long bytes) {
    if (heldBytes.get() + bytes > limitBytes) {
      return false;
    }
    change(bytes);
    return true;
  }

  /** Memory of {@link #takeForInflating} is free again. */
  void giveBackInflated(long bytes) {
    change(-bytes);
  }

  /** Whether connections are to hold less than they might. */
  public boolean isScarce() {
    return scarce;
  }

  /**
   * A connection's part of it, nothing at first.
   *
   * @param shed closes the connection; called on any thread, once
   */
  public Share join(Runnable shed) {
    Share share = new Share(shed);
    shares.add(share);
    setStep();
    return share;
  }

  private void change(long by) {
    long now = heldBytes.addAndGet(by);
    if (scarce ? now < limitBytes / 5 * 2 : now > limitBytes / 2) {
      decideScarce();
    }
    if (by > 0 && now > limitBytes) {
      shed();
    }
  }

  /** Of two that cross a threshold at once, the last to look decides. */
  private void decideScarce() {
    lock.lock();
    try {
      long now = heldBytes.get();
      scarce = scarce ? now >= limitBytes / 5 * 2 : now > limitBytes / 2;
    } finally {
      lock.unlock();
    }
  }

  /** What those hold that are on their way out comes free without anybody's help. */
  private void shed() {
    for (Share worst = nextToLeave(); worst != null; worst = nextToLeave()) {
      try {
        worst.shed.run();
      } catch (RejectedExecutionException e) {
        // its loop is shut down, and it with it
      }
    }
  }

  /** The one that holds the most, if those that stay hold too much. */
  private @Nullable Share nextToLeave() {
    lock.lock();
    try {
      return markWorst();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Share markWorst() {
    long staying = 0;
    Share worst = null;
    for (Share share : shares) {
      if (!share.leaving) {
        staying += share.reportedBytes;
        worst = worst == null || share.reportedBytes > worst.reportedBytes ? share : worst;
      }
    }
    if (worst == null || staying <= limitBytes) {
      return null;
    }
    worst.leaving = true;
    return worst;
  }

  /**
   * How much a connection may hold more than it has said. Many small ones together stay below an
   * eighth of the limit.
   */
  private void setStep() {
    long share = limitBytes / 8 / Math.max(1, shares.size());
    stepBytes = Math.max(SMALLEST_STEP_BYTES, Math.min(LARGEST_STEP_BYTES, share));
  }

  /** What one connection holds of the budget. Reported by its own thread. */
  public final class Share {
    private final Runnable shed;
    private volatile long reportedBytes;
    private volatile boolean leaving;
    private boolean left;

    private Share(Runnable shed) {
      this.shed = shed;
    }

    /**
     * Says what the connection holds now. Costs nothing while that is about what it was; but what
     * is left of a burst is told soon, or many connections would seem to hold what they do not.
     */
    public void report(long bytes) {
      long change = bytes - reportedBytes;
      boolean fallen = bytes < reportedBytes / 2 && -change >= SMALL_BYTES;
      boolean notable = fallen || Math.abs(change) >= stepBytes || (bytes == 0 && change != 0);
      if (notable && !left) {
        reportedBytes = bytes;
        change(change);
      }
    }

    /** The connection is gone, and whatever it says from now on counts no more. */
    public void leave() {
      report(0);
      left = true;
      shares.remove(this);
      setStep();
    }
  }
}
