package dev.gannet.transport;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How much the connections of a process may hold together: messages that nobody took, parts of
 * messages, and what waits to be sent.
 *
 * <pre>
 *   0 ────────── 40 % ──────── 50 % ─────────────── 100 %
 *      no limit      │  scarce: windows are small,    │ the connection that holds
 *                    │  and none grows                │ the most is closed
 * </pre>
 *
 * <p>It is one for all servers and channels of a process unless a builder is told otherwise, and a
 * quarter of the largest heap; each connection is bounded by its own limits besides. Connections
 * report in steps of 64 KiB, so small ones never touch it. Safe for all threads.
 */
public final class MemoryBudget {
  /** Why a connection was closed that held the most. */
  public static final String SHED = "memory is short, and no connection holds more of it";

  private static final long SMALLEST_OF_PROCESS_BYTES = 32L << 20;
  private static final long STEP_BYTES = 64 << 10;
  private static final MemoryBudget PROCESS =
      ofBytes(Math.max(SMALLEST_OF_PROCESS_BYTES, Runtime.getRuntime().maxMemory() / 4));

  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Share> leaving = new AtomicReference<>();
  private volatile boolean scarce;

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
    return share;
  }

  private void change(long by) {
    long now = heldBytes.addAndGet(by);
    if (scarce ? now < limitBytes / 5 * 2 : now > limitBytes / 2) {
      scarce = !scarce;
    }
    if (now > limitBytes) {
      shedWorst();
    }
  }

  /** One at a time: what it holds comes free when it is gone. */
  private void shedWorst() {
    shares.stream()
        .max(Comparator.comparingLong(share -> share.reportedBytes))
        .filter(worst -> worst.reportedBytes > 0)
        .filter(worst -> leaving.compareAndSet(null, worst))
        .ifPresent(worst -> worst.shed.run());
  }

  /** What one connection holds of the budget. Reported by its own thread. */
  public final class Share {
    private final Runnable shed;
    private volatile long reportedBytes;

    private Share(Runnable shed) {
      this.shed = shed;
    }

    /** Says what the connection holds now. Costs nothing while that is about what it was. */
    public void report(long bytes) {
      long change = bytes - reportedBytes;
      if (change >= STEP_BYTES || change <= -STEP_BYTES || (bytes == 0 && change != 0)) {
        reportedBytes = bytes;
        change(change);
      }
    }

    /** The connection is gone. */
    public void leave() {
      report(0);
      shares.remove(this);
      if (leaving.compareAndSet(this, null) && heldBytes.get() > limitBytes) {
        shedWorst();
      }
    }
  }
}
