package dev.gannet.api.engine;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of work that one thread at a time does for all that request them, without a lock and
 * without its own thread: a round looks at the current state and does everything that it finds to
 * do.
 *
 * <pre>
 *   IDLE ──run──► WORKING ──a round ends, and none was requested meanwhile──► IDLE
 *                  │   ▲
 *                  └───┘ otherwise: one more round, for all requests
 * </pre>
 *
 * <p>The thread that requests a round while no other thread is working does it, and then further
 * ones until there are no new requests. A thread that finds another one working only leaves its
 * request and goes on: nobody waits. So at least one whole round begins after each request and sees
 * what the requesting thread has written before; each round sees what earlier ones have written. A
 * request from within a round is answered by a further round, not by recursion. If a round throws
 * an exception, it counts as done: the requests that came meanwhile get their round first, then the
 * working thread gets the exception (the first one, if several rounds have thrown one), and later
 * requests are answered as usual. All requests of one object must have the same work, because the
 * working thread does its own for everybody. As it may be any of the threads, a round must not
 * block. Safe for all threads.
 */
public final class Rounds {
  private static final AtomicIntegerFieldUpdater<Rounds> REQUESTS =
      AtomicIntegerFieldUpdater.newUpdater(Rounds.class, "requests");

  /** The number of requests that no finished round has answered; 0 while no thread is working. */
  @SuppressWarnings("UnusedVariable") // REQUESTS uses it
  private volatile int requests;

  /** No thread is working. */
  public Rounds() {}

  /**
   * Requests a round: does it on this thread, or leaves it to the thread that is working.
   *
   * @param target passed to the round, so that it can be a constant and a request needs no object
   * @return whether this thread has worked; there was a moment without requests since then
   */
  public <T> boolean run(T target, Consumer<? super T> round) {
    if (REQUESTS.getAndIncrement(this) != 0) {
      return false;
    }
    work(target, round);
    return true;
  }

  private <T> void work(T target, Consumer<? super T> round) {
    Throwable first = null;
    int answered = 1;
    do {
      Throwable thrown = attempt(target, round);
      first = first == null ? thrown : first;
      answered = REQUESTS.addAndGet(this, -answered);
    } while (answered != 0);
    if (first != null) {
      Rounds.<RuntimeException>rethrow(first);
    }
  }

  private static <T> @Nullable Throwable attempt(T target, Consumer<? super T> round) {
    try {
      round.accept(target);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Throws it as it is, even if it is a checked one that another language's compiler let pass. */
  @SuppressWarnings("unchecked") // not checked, on purpose
  private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
