package dev.gannet.transport.memory;

import dev.gannet.api.engine.MemoryPart;
import dev.gannet.api.engine.Rounds;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that the connections of a process may use together: messages that were not taken yet,
 * incomplete messages, large messages in handlers, queued output, calls and connections.
 *
 * <pre>
 *   0 ────────── 40 % ──────── 50 % ──────────────────── 100 %
 *      no limit      │  scarce: windows are small, none     │ large messages are refused,
 *                    │  grows, and requests that stand      │ and connections are closed,
 *                    │  still for some seconds are ended    │ the most wasteful first
 * </pre>
 *
 * <p>For large messages that are arriving, the memory that their handlers will need counts towards
 * scarcity and available memory, in proportion to the part that has arrived; no connection is
 * closed for it.
 *
 * <p>{@link SheddingPriority} decides which connections lose their calls or are closed, by what a
 * connection holds. One that makes progress is closed only if no wasteful one is left.
 *
 * <p>There is one budget for all servers and channels of a process unless a builder sets another;
 * it is a quarter of the maximum heap. In addition, each connection has its own limits. Connections
 * report in steps of 64 KiB, or smaller ones if there are thousands. Safe for all threads.
 */
public final class MemoryLimiter implements MemoryPart {
  /** The reason for closing a connection because of memory, for the log. */
  public static final String SHED = "too little of memoryBudget is left";

  private static final long LARGEST_STEP_BYTES = 64 << 10;

  /** Smaller decreases are not reported. */
  private static final long SMALL_BYTES = 1 << 10;

  private static final long SMALLEST_STEP_BYTES = 1 << 10;

  /** The half-life of the count of served calls. */
  private static final long HALVING_NANOS = 5_000_000_000L;

  /** How often wasteful connections are searched to make space for one large message. */
  private static final long ROOM_NANOS = 1_000_000_000L;

  private static final MemoryLimiter PROCESS = ofBytes(Runtime.getRuntime().maxMemory() / 4);

  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong stayingBytes = new AtomicLong();
  private final AtomicLong reservedBytes = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicInteger queues = new AtomicInteger();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();
  private final AtomicLong joined = new AtomicLong();

  /** Each closes connections if too much is held. */
  private final Rounds shedding = new Rounds();

  private final AtomicLong roomMadeNanos = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean scarce;
  private volatile long stepBytes = LARGEST_STEP_BYTES;

  private MemoryLimiter(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A connection, as a receiver of notifications of the budget. */
  public interface Member {
    /**
     * Memory is short, and the connection is to be closed, or to give back what it holds and {@link
     * Share#rejoin}. Any thread; not again before it has rejoined.
     *
     * @param why how short it is and why this connection was chosen, for a log line
     */
    void onShed(String why);

    /** Memory has become {@linkplain #isScarce scarce}. Any thread. */
    void onScarce();
  }

  /** The default budget: a quarter of the maximum heap. */
  public static MemoryLimiter ofProcess() {
    return PROCESS;
  }

  /**
   * A separate budget.
   *
   * @param bytes the memory that connections may use together before one is closed
   * @throws IllegalArgumentException if that is not positive
   */
  public static MemoryLimiter ofBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory budget must be positive: " + bytes);
    }
    return new MemoryLimiter(bytes);
  }

  /** The memory that connections may use together before one is closed. */
  public long limitBytes() {
    return limitBytes;
  }

  @Override
  public long heldBytes() {
    return heldBytes.get();
  }

  /**
   * Calls have queued this much more output, or less. Reported at once by the sender: connections
   * only report what they hold later, and others may send much in the meantime.
   *
   * @param connections the change in the number of connections with a significant queue
   */
  public void changeQueued(long bytes, int connections) {
    queues.addAndGet(connections);
    queuedBytes.addAndGet(bytes);
  }

  /**
   * How much output a connection may have queued: any amount while all together have less than half
   * of the budget, then an equal part of that half. Beyond the budget it is nothing, until the
   * connections that hold most are closed.
   */
  public long queuePartBytes() {
    long queued = queuedBytes.get();
    if (queued <= limitBytes / 2) {
      return Long.MAX_VALUE;
    }
    return queued <= limitBytes ? limitBytes / 2 / Math.max(1, queues.get()) : 0;
  }

  /**
   * Reserves memory for a decompressed message; returns false, without reserving, if there is not
   * enough.
   */
  boolean takeForInflating(long bytes) {
    if (heldBytes.get() + bytes > limitBytes) {
      return false;
    }
    changeInflated(bytes);
    return true;
  }

  /** Releases memory of {@link #takeForInflating}. */
  void giveBackInflated(long bytes) {
    changeInflated(-bytes);
  }

  /** This memory belongs to no connection, and no connection is closed for it alone. */
  private void changeInflated(long by) {
    heldBytes.addAndGet(by);
    stayingBytes.addAndGet(by);
    considerScarce();
  }

  /** Whether connections should hold less than they might. */
  public boolean isScarce() {
    return scarce;
  }

  /**
   * The share of a connection, empty at first.
   *
   * @param remote the connection's peer
   * @param nowNanos the time, by the same clock as all other connections
   */
  public Share join(SocketAddress remote, long nowNanos, Member member) {
    Share share = new Share(joined.getAndIncrement(), PeerGroup.of(remote), nowNanos, member);
    shares.add(share);
    setStep();
    return share;
  }

  private void change(long by, long stayingBy, long nowNanos) {
    heldBytes.addAndGet(by);
    long staying = stayingBytes.addAndGet(stayingBy);
    considerScarce();
    if (by > 0 && staying > limitBytes) {
      shedding.run(this, it -> it.shed(nowNanos));
    }
  }

  private void considerScarce() {
    if (isScarceNow() != scarce && updateScarce()) {
      for (Share share : shares) {
        share.notifyScarce();
      }
    }
  }

  private boolean isScarceNow() {
    long now = heldBytes.get() + reservedBytes.get();
    return scarce ? now >= limitBytes / 5 * 2 : now > limitBytes / 2;
  }

  /**
   * Updates {@link #scarce}; returns whether memory has become scarce. If two threads cross a
   * threshold at the same time, the last one to check decides.
   */
  private boolean updateScarce() {
    lock.lock();
    try {
      boolean was = scarce;
      scarce = isScarceNow();
      return scarce && !was;
    } finally {
      lock.unlock();
    }
  }

  /** A round. If no memory is left to choose, the next report tries again. */
  private void shed(long nowNanos) {
    if (stayingBytes.get() > limitBytes) {
      new Shedding(limitBytes, nowNanos).shed(shares, stayingBytes::get);
    }
  }

  /** Closes connections that only hold memory, until this much is available. */
  private void makeRoom(long bytes, long nowNanos) {
    long last = roomMadeNanos.get();
    if ((last == 0 || nowNanos - last >= ROOM_NANOS)
        && roomMadeNanos.compareAndSet(last, nowNanos == 0 ? 1 : nowNanos)) {
      new Shedding(limitBytes, nowNanos).makeRoom(shares, stayingBytes::get, bytes);
    }
  }

  /**
   * How much more than reported a connection may hold. Many small ones together stay below an
   * eighth of the limit.
   */
  private void setStep() {
    long share = limitBytes / 8 / Math.max(1, shares.size());
    stepBytes = Math.max(SMALLEST_STEP_BYTES, Math.min(LARGEST_STEP_BYTES, share));
  }

  /**
   * The part of the budget that one connection uses, and its recent activity. Updated by its own
   * thread; other threads read it when memory is short, and may see slightly old values.
   */
  public final class Share {
    private static final AtomicLongFieldUpdater<Share> STAYING =
        AtomicLongFieldUpdater.newUpdater(Share.class, "staying");
    private static final AtomicLongFieldUpdater<Share> OWED =
        AtomicLongFieldUpdater.newUpdater(Share.class, "owed");
    private static final AtomicLongFieldUpdater<Share> MOVED =
        AtomicLongFieldUpdater.newUpdater(Share.class, "moved");
    private static final AtomicLongFieldUpdater<Share> SERVED =
        AtomicLongFieldUpdater.newUpdater(Share.class, "served");

    /**
     * Replaces the amount of a connection that was asked to give it back, and no longer counts for
     * others.
     */
    private static final long LEAVING = -1;

    private final long number;
    private final Object group;
    private final long beganNanos;
    private final Member member;
    private volatile long staying;
    private volatile long owed;
    private volatile long moved;
    private volatile long served;

    // Used by the connection.
    private long halvedNanos;
    private long reported;
    private boolean left;

    private Share(long number, Object group, long nowNanos, Member member) {
      this.number = number;
      this.group = group;
      this.beganNanos = nowNanos;
      this.moved = nowNanos;
      this.halvedNanos = nowNanos;
      this.member = member;
    }

    /**
     * Reports the memory that the connection uses now. Costs nothing while that is nearly
     * unchanged; but the end of a burst is reported soon, because otherwise many connections would
     * seem to use memory that they do not.
     *
     * @param owedBytes how much of it waits for an action of the peer
     */
    public void report(long bytes, long owedBytes, long nowNanos) {
      if (owedBytes != owed) {
        OWED.lazySet(this, owedBytes);
      }
      long change = bytes - reported;
      boolean fallen = bytes < reported / 2 && -change >= SMALL_BYTES;
      boolean notable = fallen || Math.abs(change) >= stepBytes || (bytes == 0 && change != 0);
      if (notable && !left) {
        count(bytes, nowNanos);
      }
    }

    private void count(long bytes, long nowNanos) {
      long change = bytes - reported;
      reported = bytes;
      change(change, changeStaying(bytes), nowNanos);
    }

    /**
     * The connection has given back what it could, and is not closed: it counts again.
     *
     * @param bytes what it holds now
     */
    public void rejoin(long bytes, long nowNanos) {
      if (!left && STAYING.compareAndSet(this, LEAVING, 0)) {
        count(bytes, nowNanos);
      }
    }

    /**
     * Whether another call may begin. While more than the limit is held, although connections were
     * asked to give back what they hold, a connection on which no call was ever served gets few.
     *
     * @param openCalls how many it has
     * @param leastCalls how many it may have in any case
     */
    public boolean admitsCall(int openCalls, int leastCalls) {
      return openCalls < leastCalls || isServed() || heldBytes.get() <= limitBytes;
    }

    private long changeStaying(long bytes) {
      long before = staying;
      boolean stays = before != LEAVING && STAYING.compareAndSet(this, before, bytes);
      return stays ? bytes - before : 0;
    }

    /**
     * This many calls were served, messages were taken by their readers, or responses were written.
     */
    public void onServed(int times, long nowNanos) {
      long before = served;
      long halvings = (nowNanos - halvedNanos) / HALVING_NANOS;
      if (halvings > 0) {
        halvedNanos = nowNanos;
        before = before >> Math.min(halvings, Long.SIZE - 1);
      }
      SERVED.lazySet(this, Math.max(1, before + times));
      onMoved(nowNanos);
    }

    /** Much data has arrived, although possibly nothing is complete yet. */
    public void onMoved(long nowNanos) {
      MOVED.lazySet(this, nowNanos);
    }

    /**
     * Partly received messages will need this much more memory when they are complete, or less. No
     * connection is closed for it; but it is not available for others, and may make memory scarce.
     */
    public void changeReserved(long bytes) {
      reservedBytes.addAndGet(bytes);
      considerScarce();
    }

    /**
     * Makes room for this many bytes: if they are not available, connections that only hold memory
     * are closed for them. Returns whether they are available then.
     *
     * @param unreportedBytes what this connection uses and has not reported yet
     */
    public boolean tryMakeRoom(long bytes, long unreportedBytes, long nowNanos) {
      long wanted = bytes + unreportedBytes;
      if (stayingBytes.get() + wanted > limitBytes) {
        makeRoom(wanted, nowNanos);
      }
      return stayingBytes.get() + reservedBytes.get() + wanted <= limitBytes;
    }

    /** The last reported amount. */
    public long reportedBytes() {
      return reported;
    }

    /** The limit of the whole budget, in bytes. */
    public long limitBytes() {
      return limitBytes;
    }

    /** A number that differs between connections, to spread actions over time. */
    public long number() {
      return number;
    }

    /** The connection is closed, and its further reports do not count. */
    public void leave() {
      if (!left) {
        left = true;
        shares.remove(this);
        long before = STAYING.getAndSet(this, LEAVING);
        change(-reported, before == LEAVING ? 0 : -before, moved);
        reported = 0;
        setStep();
      }
    }

    private void notifyScarce() {
      if (owed >= SMALL_BYTES && staying != LEAVING) {
        try {
          member.onScarce();
        } catch (Throwable e) {
          // its loop is shut down, or memory is short; the others must be notified
        }
      }
    }

    /**
     * Asks it to give back what it holds; returns false if it was asked before, or if there is no
     * memory to ask it: then it counts as before.
     */
    boolean shed(String why) {
      long held = STAYING.getAndSet(this, LEAVING);
      if (held == LEAVING) {
        return false;
      }
      stayingBytes.addAndGet(-held);
      try {
        member.onShed(why);
      } catch (RejectedExecutionException e) {
        return true; // its loop is shut down, and so is the connection
      } catch (Throwable e) {
        stayAgain(held);
        return false;
      }
      return true;
    }

    /** Write-then-check with {@link #leave}: staying first, then the shares. */
    private void stayAgain(long held) {
      if (STAYING.compareAndSet(this, LEAVING, held)) {
        stayingBytes.addAndGet(held);
        if (!shares.contains(this) && STAYING.compareAndSet(this, held, LEAVING)) {
          stayingBytes.addAndGet(-held);
        }
      }
    }

    /** The memory that it uses; negative if it is giving that back. */
    long stayingBytes() {
      return staying;
    }

    long owedBytes() {
      return owed;
    }

    Object group() {
      return group;
    }

    /** Whether a call was ever served on it. */
    public boolean isServed() {
      return served > 0;
    }

    /** How often it was served recently, with a half-life of 5 s. */
    long timesServed() {
      return served;
    }

    long ageNanos(long nowNanos) {
      return nowNanos - beganNanos;
    }

    long stillNanos(long nowNanos) {
      return nowNanos - moved;
    }
  }
}
