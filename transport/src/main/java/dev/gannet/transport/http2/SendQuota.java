package dev.gannet.transport.http2;

import dev.gannet.transport.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much all calls of one connection may have queued together.
 *
 * <p>Of each call {@value #FREE_BYTES} bytes are not counted, so calls with small messages share
 * nothing here. When all room is taken, calls whose bytes leave can still go on: what those have
 * queued that stand still because of their own windows does not count for them, and {@value
 * #BEYOND_BYTES} bytes are for them alone, if the connection lets anything out. With the free bytes
 * of 256 calls a connection has less than 1 MiB queued, and a message of each call that began to
 * move and stopped.
 *
 * <p>Calls of a client that wait for a stream can neither move nor be waited for. They have as much
 * room of their own, all of it counted; who finds it taken is told when its stream is there.
 *
 * <p>Safe for all threads: senders take room, the connection's loop gives it back.
 */
final class SendQuota {
  /** What is counted of all calls before each has to wait. */
  static final int CONNECTION_BYTES = 64 << 10;

  /** What only calls that move may have queued. */
  static final int BEYOND_BYTES = 64 << 10;

  /** What is not counted of a call. */
  static final int FREE_BYTES = 1 << 10;

  /** Smaller changes of a connection are not worth a word to the others. */
  private static final int STEP_SHIFT = 16;

  private final MemoryBudget budget;
  private final AtomicLong countedBytes = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile long limitBytes = CONNECTION_BYTES + BEYOND_BYTES;
  private volatile boolean asked;

  SendQuota(MemoryBudget budget) {
    this.budget = budget;
  }

  /** A call has so many bytes queued, after so many before. */
  void change(long beforeBytes, long afterBytes) {
    long change = Math.max(0, afterBytes - FREE_BYTES) - Math.max(0, beforeBytes - FREE_BYTES);
    if (change != 0) {
      long now = countedBytes.addAndGet(change);
      long steps = now >> STEP_SHIFT;
      long stepsBefore = (now - change) >> STEP_SHIFT;
      if (steps != stepsBefore) {
        int queues = (steps > 0 ? 1 : 0) - (stepsBefore > 0 ? 1 : 0);
        budget.changeQueued((steps - stepsBefore) << STEP_SHIFT, queues);
      }
    }
  }

  /**
   * Whether nothing more may be queued, not even by those who do not ask before: memory is short,
   * and this connection has its part.
   */
  boolean isOverfull() {
    long queued = countedBytes.get();
    return queued >= CONNECTION_BYTES && queued >= budget.queuePartBytes();
  }

  /** Calls that wait for a stream have so much more queued than before, or less. */
  void changeWaiting(long bytes) {
    waitingBytes.addAndGet(bytes);
  }

  /** What calls that wait for a stream have queued. */
  long waitingBytes() {
    return waitingBytes.get();
  }

  /** Whether calls that wait for a stream may queue more. */
  boolean isAvailableForWaiting() {
    return waitingBytes.get() < CONNECTION_BYTES;
  }

  boolean isAvailable() {
    return countedBytes.get() < CONNECTION_BYTES;
  }

  /** Whether there is room for a call whose bytes leave. */
  boolean isAvailableForMoving() {
    return countedBytes.get() < limitBytes;
  }

  /**
   * Says how much there may be for calls that move. On the loop.
   *
   * @param open whether the connection lets anything out
   * @param standingBytes what is counted of calls that do not move
   */
  void look(boolean open, long standingBytes) {
    long most = open ? CONNECTION_BYTES + standingBytes + BEYOND_BYTES : CONNECTION_BYTES;
    if (limitBytes != most) {
      limitBytes = most;
    }
  }

  /** A call wants to be told when it may queue more. */
  void ask() {
    if (!asked) {
      asked = true;
    }
  }

  /** Whether one has asked since the last time. On the loop. */
  boolean takeAsked() {
    boolean was = asked;
    if (was) {
      asked = false;
    }
    return was;
  }
}
