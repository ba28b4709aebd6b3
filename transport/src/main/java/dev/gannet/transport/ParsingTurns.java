package dev.gannet.transport;

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
 * Which virtual threads may decompress and parse long messages now: as many as half of the
 * processors, one at least. The others park until it is their turn.
 *
 * <p>Nothing takes a processor from a virtual thread that computes. Messages that take long would
 * keep all of them from the calls that take moments; so some processors are left to those. Threads
 * of the platform are interrupted by the system when others want to run, and need no turn.
 *
 * <p>Of the connections that wait, the one goes first that has used the least time. One that comes
 * anew begins with what that one has used, so many connections have no more than many turns, and
 * new ones no more than old ones.
 */
public final class ParsingTurns {
  /** What all connections of the process share: they have the same processors. */
  public static final ParsingTurns SHARED =
      new ParsingTurns(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2), System::nanoTime);

  private static final Comparator<Party> BY_USE =
      Comparator.comparingLong(party -> party.usedNanos.get());

  /** What is thrown where the call has ended; its end is on its way, and says why. */
  public static final Status NOT_WANTED =
      Status.CANCELLED.withDescription("the call ended before its message was read");

  private static final Status INTERRUPTED =
      Status.CANCELLED.withDescription("interrupted before a message was read");

  private final LongSupplier clock;
  private final AtomicInteger free;
  private final AtomicInteger waiters = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayList<Party> waiting = new ArrayList<>(); // the lock's, and all below
  private long usedByLastNanos;

  ParsingTurns(int threads, LongSupplier clock) {
    this.free = new AtomicInteger(threads);
    this.clock = clock;
  }

  /** A connection among those that take turns. */
  public Party join() {
    return new Party();
  }

  /** How many threads wait. */
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

  /** Gives free turns to those who wait. */
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

    /** False if it was its turn just now. */
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
   * The turns of one call, of which one thread at a time takes messages.
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
     * Waits until the calling thread may go on.
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

    /** Behind {@link #begin}. */
    public void end() {
      party.usedNanos.addAndGet(clock.getAsLong() - beganNanos);
      granted = false;
      thread = null;
      free.incrementAndGet();
      handOver();
    }

    /** Nobody wants the message any more: who waits for it goes away. Any thread. */
    public void giveUp() {
      unwanted = true;
      LockSupport.unpark(thread);
    }
  }
}
