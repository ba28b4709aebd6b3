package dev.gannet.transport;

import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How much the connections of a process may hold together: messages that nobody took, parts of
 * messages, what handlers of large messages hold, and what waits to be sent.
 *
 * <pre>
 *   0 ────────── 40 % ──────── 50 % ──────────────────── 100 %
 *      no limit      │  scarce: windows are small, none     │ large messages are refused,
 *                    │  grows, and requests that stand      │ and connections are closed,
 *                    │  still for some seconds are ended    │ the most wasteful first
 * </pre>
 *
 * <p>Of large messages that come, what their handlers will make of them counts for what is scarce
 * and for what has room, in proportion to the part that is here; nothing is closed for it.
 *
 * <p>Who is closed is decided by {@link Waste}, by what a connection holds within that. A
 * connection that makes progress is closed only where no wasteful one is left.
 *
 * <p>It is one for all servers and channels of a process unless a builder is told otherwise, and a
 * quarter of the largest heap; each connection is bounded by its own limits besides. Connections
 * report in steps of 64 KiB, smaller ones where there are thousands. Safe for all threads.
 */
public final class MemoryBudget implements LongSupplier {
  /** Why a connection was closed to make room. */
  public static final String SHED = "memory is short";

  private static final long LARGEST_STEP_BYTES = 64 << 10;

  /** A fall of less is not worth a word. */
  private static final long SMALL_BYTES = 1 << 10;

  private static final long SMALLEST_STEP_BYTES = 1 << 10;

  /** After so long what was served counts half. */
  private static final long HALVING_NANOS = 5_000_000_000L;

  /** How often waste is looked for to make room for one large message. */
  private static final long ROOM_NANOS = 1_000_000_000L;

  private static final MemoryBudget PROCESS = ofBytes(Runtime.getRuntime().maxMemory() / 4);

  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong stayingBytes = new AtomicLong();
  private final AtomicLong promisedBytes = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicInteger queues = new AtomicInteger();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();
  private final AtomicLong joined = new AtomicLong();
  private final AtomicInteger shedding = new AtomicInteger();
  private final AtomicLong roomMadeNanos = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean scarce;
  private volatile long stepBytes = LARGEST_STEP_BYTES;

  private MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A connection, as far as the budget has to tell it something. */
  public interface Member {
    /**
     * Memory is short, and the connection is to be closed. Any thread, once.
     *
     * @param why how short it is and why it is this connection, in words for a log line
     */
    void onShed(String why);

    /** Memory has become {@linkplain #isScarce scarce}. Any thread. */
    void onScarce();
  }

  /** The budget that all share who name none: a quarter of the largest heap. */
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

  /** The same, for the users' object that stands for this budget. */
  @Override
  public long getAsLong() {
    return heldBytes();
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
    changeInflated(bytes);
    return true;
  }

  /** Memory of {@link #takeForInflating} is free again. */
  void giveBackInflated(long bytes) {
    changeInflated(-bytes);
  }

  /** It is no connection's, and nobody is closed for it alone. */
  private void changeInflated(long by) {
    heldBytes.addAndGet(by);
    stayingBytes.addAndGet(by);
    considerScarce();
  }

  /** Whether connections are to hold less than they might. */
  public boolean isScarce() {
    return scarce;
  }

  /**
   * A connection's part of it, nothing at first.
   *
   * @param remote the connection's peer
   * @param nowNanos the time; by the same clock as all other connections'
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
      shed(nowNanos);
    }
  }

  private void considerScarce() {
    if (isScarceNow() != scarce && becomesScarce()) {
      for (Share share : shares) {
        share.tellScarce();
      }
    }
  }

  private boolean isScarceNow() {
    long now = heldBytes.get() + promisedBytes.get();
    return scarce ? now >= limitBytes / 5 * 2 : now > limitBytes / 2;
  }

  /** Of two that cross a threshold at once, the last to look decides. */
  private boolean becomesScarce() {
    lock.lock();
    try {
      boolean was = scarce;
      scarce = isScarceNow();
      return scarce && !was;
    } finally {
      lock.unlock();
    }
  }

  /** One thread chooses at a time, and looks again for those that came meanwhile: nobody waits. */
  private void shed(long nowNanos) {
    if (shedding.getAndIncrement() > 0) {
      return;
    }
    int seen;
    do {
      seen = shedding.get();
      if (stayingBytes.get() > limitBytes) {
        new Shedding(limitBytes, nowNanos).shed(shares, stayingBytes::get);
      }
    } while (shedding.addAndGet(-seen) > 0);
  }

  /** Closes connections that do nothing but hold, as far as so much room is wanted. */
  private void makeRoom(long bytes, long nowNanos) {
    long last = roomMadeNanos.get();
    if ((last == 0 || nowNanos - last >= ROOM_NANOS)
        && roomMadeNanos.compareAndSet(last, nowNanos == 0 ? 1 : nowNanos)) {
      new Shedding(limitBytes, nowNanos).makeRoom(shares, stayingBytes::get, bytes);
    }
  }

  /**
   * How much a connection may hold more than it has said. Many small ones together stay below an
   * eighth of the limit.
   */
  private void setStep() {
    long share = limitBytes / 8 / Math.max(1, shares.size());
    stepBytes = Math.max(SMALLEST_STEP_BYTES, Math.min(LARGEST_STEP_BYTES, share));
  }

  /**
   * What one connection holds of the budget, and how it fares. Told by its own thread; others look
   * at it when memory is short, and may see what was so a moment ago.
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

    /** In the place of what it holds: it is on its way out, and counts for others no more. */
    private static final long LEAVING = -1;

    private final long number;
    private final Object group;
    private final long beganNanos;
    private final Member member;
    private volatile long staying;
    private volatile long owed;
    private volatile long moved;
    private volatile long served;

    // The connection's own.
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
     * Says what the connection holds now. Costs nothing while that is about what it was; but what
     * is left of a burst is told soon, or many connections would seem to hold what they do not.
     *
     * @param owedBytes how much of it waits for the peer to do something
     */
    public void report(long bytes, long owedBytes, long nowNanos) {
      if (owedBytes != owed) {
        OWED.lazySet(this, owedBytes);
      }
      long change = bytes - reported;
      boolean fallen = bytes < reported / 2 && -change >= SMALL_BYTES;
      boolean notable = fallen || Math.abs(change) >= stepBytes || (bytes == 0 && change != 0);
      if (notable && !left) {
        reported = bytes;
        change(change, changeStaying(bytes), nowNanos);
      }
    }

    private long changeStaying(long bytes) {
      long before = staying;
      boolean stays = before != LEAVING && STAYING.compareAndSet(this, before, bytes);
      return stays ? bytes - before : 0;
    }

    /** So many calls were served, messages taken by their readers, or answers left for theirs. */
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

    /** Much has come, though nothing of it may be whole yet. */
    public void onMoved(long nowNanos) {
      MOVED.lazySet(this, nowNanos);
    }

    /**
     * Messages of which a part has come will take so much more than that part once they are whole,
     * or less. Nothing is closed for it; but it is no room for others, and may make memory scarce.
     */
    public void promise(long bytes) {
      promisedBytes.addAndGet(bytes);
      considerScarce();
    }

    /**
     * Whether there is room for so much more. Where there is none, connections are closed for it
     * that do nothing but hold.
     *
     * @param unsaidBytes what this connection holds and has not reported yet
     */
    public boolean hasRoomFor(long bytes, long unsaidBytes, long nowNanos) {
      long wanted = bytes + unsaidBytes;
      if (stayingBytes.get() + wanted > limitBytes) {
        makeRoom(wanted, nowNanos);
      }
      return stayingBytes.get() + promisedBytes.get() + wanted <= limitBytes;
    }

    /** What was reported last. */
    public long reportedBytes() {
      return reported;
    }

    /** Spreads what many would do at the same moment: a number that differs from the others'. */
    public long number() {
      return number;
    }

    /** The connection is gone, and whatever it says from now on counts no more. */
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

    private void tellScarce() {
      if (owed >= SMALL_BYTES && staying != LEAVING) {
        try {
          member.onScarce();
        } catch (RejectedExecutionException e) {
          // its loop is shut down, and it with it
        }
      }
    }

    /** Whether it is told, which happens once. */
    boolean shed(String why) {
      long held = STAYING.getAndSet(this, LEAVING);
      if (held == LEAVING) {
        return false;
      }
      stayingBytes.addAndGet(-held);
      try {
        member.onShed(why);
      } catch (RejectedExecutionException e) {
        // its loop is shut down, and it with it
      }
      return true;
    }

    /** What it holds; less than nothing if it is on its way out. */
    long stayingBytes() {
      return staying;
    }

    long owedBytes() {
      return owed;
    }

    Object group() {
      return group;
    }

    boolean isServed() {
      return served > 0;
    }

    /** How often it was served lately: what was so 5 s ago counts half. */
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
