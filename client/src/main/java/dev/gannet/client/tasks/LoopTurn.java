package dev.gannet.client.tasks;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.OffLoop;
import java.util.function.LongSupplier;

/**
 * The work on waiting calls that an event loop does at a time: marshalling and compressing their
 * requests can take long, and all connections of the loop would wait. After {@value #MAX_NANOS} ns
 * a virtual thread does the rest ({@link OffLoop}). So a loop is held for that time and for one
 * request. The first call of a process usually needs no other thread, which would cost it
 * milliseconds.
 *
 * <p>Threads that are not those of event loops do all their work themselves.
 */
public final class LoopTurn {
  private static final Thread.Builder.OfVirtual OFF_LOOPS =
      Thread.ofVirtual().name("gannet-replay").inheritInheritableThreadLocals(false);

  /** How long a loop works on waiting calls before it lets another thread do the rest. */
  private static final long MAX_NANOS = 1_000_000;

  private final LongSupplier nanoTime;
  private final long beginNanos;

  private LoopTurn(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
  }

  /** The turn of this thread, which begins now. */
  public static LoopTurn begin(LongSupplier nanoTime) {
    return new LoopTurn(nanoTime);
  }

  /**
   * Has a virtual thread do the rest if this is an event loop and its turn is over; returns false
   * if this thread has to go on.
   */
  public boolean tryPassOn(Runnable rest) {
    return hasLasted() && tryLeave(rest);
  }

  /** Whether this is an event loop and its turn is over. */
  public boolean isOver() {
    return Thread.currentThread() instanceof EventLoopThread && hasLasted();
  }

  private boolean hasLasted() {
    return nanoTime.getAsLong() - beginNanos >= MAX_NANOS;
  }

  /**
   * Has a virtual thread do this work if this is an event loop; returns false if this thread has to
   * do it.
   */
  public static boolean tryLeave(Runnable work) {
    return Thread.currentThread() instanceof EventLoopThread loop
        && loop.offLoop().tryLeave(OFF_LOOPS, work);
  }
}
