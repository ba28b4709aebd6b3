package dev.gannet.transport.memory;

import dev.gannet.api.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which virtual threads may decompress and parse long messages now: at most half as many as
 * there are processors, but at least one. The others park until it is their turn.
 *
 * <p>The scheduler of virtual threads does not preempt a thread that computes. Long messages could
 * therefore occupy all its carrier threads and delay calls that need only moments; the limit leaves
 * some carriers to those calls. Platform threads are preempted by the operating system and need no
 * turn.
 *
 * <p>Among the waiting connections, the one that has used the least time goes first. A connection
 * that begins to wait counts as having used at least as much as the one served last, so opening
 * many connections or new ones brings no advantage over old ones.
 *
 * <p>After a message that was parsed quickly, its connection's next one need not take a turn if it
 * is not very long.
 *
 * <p>Some messages take a hundred times their size in memory while they are parsed, and the garbage
 * collections stop everybody. A connection is suspect until one of its messages was parsed in usual
 * time, and again after several that were slow. Suspect connections take turns one at a time. After
 * a message of theirs that was slow and during which several collections stopped the process, they
 * rest for many times as long as it took; the others go on.
 */
public final class ParsingTurns {
  /** Shared by all connections of the process, because they share its processors. */
  public static final ParsingTurns SHARED =
      new ParsingTurns(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
          System::nanoTime,
          ModuleLayer.boot().findModule("java.management").isPresent()
              ? GarbageCollections::count
              : () -> 0); // a small runtime image

  /** Suspect connections rest for so many times as long as a slow message took. */
  private static final int REST_FACTOR = 64;

  private static final long MAX_REST_NANOS = 10_000_000_000L;

  /** A smaller excess may be due to anything, a cold JIT compiler for example. */
  private static final long MIN_EXCESS_NANOS = 20_000_000;

  /** A message that took no longer delays nobody; usual ones of 64 KiB take a tenth of it. */
  private static final long MAX_QUICK_NANOS = 500_000;

  /** Fewer collections during a message may be due to others, above all after a start. */
  private static final long MIN_COLLECTIONS = 3;

  /** The suspicion of a new connection, and from which on one is suspect. */
  private static final int SUSPECT = 2;

  /** After this many slow messages two usual ones are needed. */
  private static final int MAX_SUSPICION = 4;

  private static final Comparator<Party> BY_USE =
      Comparator.comparingLong(party -> party.usedNanos.get());

  /** Thrown where the call has ended; the event that says how it ended is on its way. */
  public static final Status NOT_WANTED =
      Status.CANCELLED.withDescription("the call ended before its message was read");

  private static final Status INTERRUPTED =
      Status.CANCELLED.withDescription("interrupted before a message was read");

  private final LongSupplier clock;
  private final LongSupplier collections;
  private final AtomicInteger free;
  private final AtomicInteger waiters = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayList<Party> waiting =
      new ArrayList<>(); // guarded by the lock, as are all fields below
  private long usedByLastNanos;
  private boolean suspectAtWork;

  /** Until then suspect connections rest, if {@link #resting}. */
  private long restUntilNanos;

  private boolean resting;

  /**
   * Turns for so many threads at the same time.
   *
   * @param collections how often garbage collections have stopped the process so far
   */
  ParsingTurns(int threads, LongSupplier clock, LongSupplier collections) {
    this.free = new AtomicInteger(threads);
    this.clock = clock;
    this.collections = collections;
  }

  /** Adds a connection to those that take turns. */
  public Party join() {
    return new Party();
  }

  /** The number of threads that wait. */
  int waiters() {
    return waiters.get();
  }

  private boolean tryTake() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }

  /** Gives free turns to waiting threads. */
  private void handOver() {
    if (waiters.get() == 0) {
      return;
    }
    lock.lock();
    try {
      while (!waiting.isEmpty() && tryTake()) {
        Party party = nextParty();
        if (party == null) {
          free.incrementAndGet(); // all that wait are suspect, and it is not their time
          return;
        }
        grantTo(party);
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Party nextParty() {
    boolean notSuspects = suspectAtWork || updateResting();
    Party next = null;
    for (Party party : waiting) {
      if (!(notSuspects && party.isSuspect())
          && (next == null || BY_USE.compare(party, next) < 0)) {
        next = party;
      }
    }
    return next;
  }

  /** Ends the rest of suspect connections when its time is over; returns whether they rest. */
  private boolean updateResting() {
    resting = resting && clock.getAsLong() - restUntilNanos < 0;
    return resting;
  }

  private void grantTo(Party party) {
    usedByLastNanos = Math.max(usedByLastNanos, party.usedNanos.get());
    Turn next = party.turns.removeFirst();
    onLeft(party);
    next.suspect = party.isSuspect();
    suspectAtWork |= next.suspect;
    next.grant();
  }

  /** Has suspect connections rest because of a slow message, and wakes the next one afterwards. */
  private void rest(long tookNanos) {
    long nanos = Math.min(MAX_REST_NANOS, tookNanos * REST_FACTOR);
    long until = clock.getAsLong() + nanos;
    lock.lock();
    try {
      restUntilNanos = updateResting() && restUntilNanos - until > 0 ? restUntilNanos : until;
      resting = true;
    } finally {
      lock.unlock();
    }
    Thread.startVirtualThread(() -> {
      for (long left = nanos; left > 0; left = until - clock.getAsLong()) {
        LockSupport.parkNanos(this, left);
      }
      handOver();
    });
  }

  private void onLeft(Party party) {
    waiters.decrementAndGet();
    if (party.turns.isEmpty()) {
      waiting.remove(party);
    }
  }

  private static boolean isSlow(long excessNanos) {
    return excessNanos >= MIN_EXCESS_NANOS;
  }

  /** One connection. */
  public final class Party {
    private final AtomicLong usedNanos = new AtomicLong();
    private final ArrayDeque<Turn> turns = new ArrayDeque<>(0); // mostly empty

    /** Grows with each slow message. Concurrent calls may overwrite each other's change. */
    private volatile int suspicion = SUSPECT;

    /** Whether the last message was parsed so quickly that the next one need not take a turn. */
    private volatile boolean lastWasQuick;

    private Party() {}

    private boolean isSuspect() {
      return suspicion >= SUSPECT;
    }

    private void onParsed(long tookNanos, long excessNanos) {
      boolean quick = tookNanos <= MAX_QUICK_NANOS;
      if (quick != lastWasQuick) {
        lastWasQuick = quick;
      }
      boolean slow = isSlow(excessNanos);
      int before = suspicion;
      int after = slow ? Math.min(MAX_SUSPICION, before + 1) : Math.max(0, before - SUSPECT);
      if (after != before) {
        suspicion = after;
      }
    }

    /** The turns of one call. */
    public Turn turn() {
      return new Turn(this);
    }

    private void add(Turn turn) {
      lock.lock();
      try {
        if (turns.isEmpty()) {
          waiting.add(this);
          long behind = usedByLastNanos - usedNanos.get();
          usedNanos.addAndGet(Math.max(0, behind));
        }
        turns.add(turn);
        waiters.incrementAndGet();
      } finally {
        lock.unlock();
      }
      handOver();
    }

    /** Removes a waiting turn; false if it had already got its turn. */
    private boolean remove(Turn turn) {
      lock.lock();
      try {
        boolean waited = turns.remove(turn);
        if (waited) {
          onLeft(this);
        }
        return waited;
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * The turns of one call. One thread at a time takes the call's messages.
   *
   * <pre>
   *   begin ──► (parked) ──► at work ──end──► over
   *                └────── not wanted: thrown out
   * </pre>
   */
  public final class Turn {
    private final Party party;
    private volatile @Nullable Thread thread;
    private volatile boolean granted;
    private volatile boolean unwanted;
    private boolean suspect; // given with the turn
    private long beganNanos;
    private long collectionsBefore; // of a suspect connection's turn

    private Turn(Party party) {
      this.party = party;
    }

    /**
     * Whether the connection's last message took at most half a millisecond, as usual messages of
     * up to 128 KiB do: such messages delay nobody. Any thread.
     */
    public boolean isLikelyQuick() {
      return party.lastWasQuick;
    }

    /**
     * A message was parsed without a turn. Any thread.
     *
     * @param excessNanos how much longer the message took than it may; 0 if it did not
     */
    public void onParsedWithout(long tookNanos, long excessNanos) {
      party.onParsed(tookNanos, excessNanos);
    }

    /**
     * Waits until the calling thread may work.
     *
     * @throws dev.gannet.api.StatusException {@code CANCELLED} if the thread is interrupted; {@link
     *     #NOT_WANTED} if the call has ended
     */
    public void begin() {
      if (unwanted) {
        throw NOT_WANTED.asException();
      }
      if (party.isSuspect() || waiters.get() > 0 || !tryTake()) {
        await();
      }
      boolean begun = false;
      try {
        beganNanos = clock.getAsLong();
        if (suspect) {
          collectionsBefore = collections.getAsLong();
        }
        begun = true;
      } finally {
        if (!begun) {
          release();
        }
      }
    }

    private void await() {
      thread = Thread.currentThread();
      party.add(this);
      while (!granted) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        if ((unwanted || interrupted) && party.remove(this)) {
          throw (unwanted ? NOT_WANTED : INTERRUPTED).asException();
        }
        if (!granted) {
          LockSupport.park(this);
        }
      }
    }

    private void grant() {
      granted = true;
      LockSupport.unpark(thread);
    }

    /**
     * Ends the turn that {@link #begin} started.
     *
     * @param excessNanos how much longer the message took than it may; 0 if it did not
     */
    public void end(long excessNanos) {
      try {
        long tookNanos = clock.getAsLong() - beganNanos;
        party.usedNanos.addAndGet(tookNanos);
        party.onParsed(tookNanos, excessNanos);
        if (isSlow(excessNanos) && hasStoppedAll()) {
          rest(tookNanos);
        }
      } finally {
        release();
      }
    }

    /** Others may work, whatever was thrown. */
    private void release() {
      leaveSuspects();
      granted = false;
      thread = null;
      free.incrementAndGet();
      handOver();
    }

    private boolean hasStoppedAll() {
      return suspect && collections.getAsLong() - collectionsBefore >= MIN_COLLECTIONS;
    }

    private void leaveSuspects() {
      if (!suspect) {
        return;
      }
      suspect = false;
      lock.lock();
      try {
        suspectAtWork = false;
      } finally {
        lock.unlock();
      }
    }

    /**
     * The message is not wanted any more: a thread that waits for its turn stops waiting. Any
     * thread may call this.
     */
    public void giveUp() {
      unwanted = true;
      LockSupport.unpark(thread);
    }
  }
}
