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
 */
public final class ParsingTurns {
  /** Shared by all connections of the process, because they share its processors. */
  public static final ParsingTurns SHARED =
      new ParsingTurns(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2), System::nanoTime);

  private static final Comparator<Party> BY_USE =
      Comparator.comparingLong(party -> party.usedNanos.get());

  /** Thrown where the call has ended; the event that says how it ended is on its way. */
  public static final Status NOT_WANTED =
      Status.CANCELLED.withDescription("the call ended before its message was read");

  private static final Status INTERRUPTED =
      Status.CANCELLED.withDescription("interrupted before a message was read");

  private final LongSupplier clock;
  private final AtomicInteger free;
  private final AtomicInteger waiters = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayList<Party> waiting =
      new ArrayList<>(); // guarded by the lock, as are all fields below
  private long usedByLastNanos;

  ParsingTurns(int threads, LongSupplier clock) {
    this.free = new AtomicInteger(threads);
    this.clock = clock;
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
        next().grant();
      }
    } finally {
      lock.unlock();
    }
  }

  private Turn next() {
    Party first = waiting.getFirst();
    for (Party party : waiting) {
      first = BY_USE.compare(party, first) < 0 ? party : first;
    }
    usedByLastNanos = Math.max(usedByLastNanos, first.usedNanos.get());
    Turn next = first.turns.removeFirst();
    onLeft(first);
    return next;
  }

  private void onLeft(Party party) {
    waiters.decrementAndGet();
    if (party.turns.isEmpty()) {
      waiting.remove(party);
    }
  }

  /** One connection. */
  public final class Party {
    private final AtomicLong usedNanos = new AtomicLong();
    private final ArrayDeque<Turn> turns = new ArrayDeque<>();

    private Party() {}

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
    private long beganNanos;

    private Turn(Party party) {
      this.party = party;
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
      if (waiters.get() > 0 || !tryTake()) {
        await();
      }
      beganNanos = clock.getAsLong();
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

    /** Ends the turn that {@link #begin} started. */
    public void end() {
      party.usedNanos.addAndGet(clock.getAsLong() - beganNanos);
      granted = false;
      thread = null;
      free.incrementAndGet();
      handOver();
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
