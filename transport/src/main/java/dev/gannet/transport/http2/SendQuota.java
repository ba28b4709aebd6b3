package dev.gannet.transport.http2;

import dev.gannet.transport.memory.MemoryLimiter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of bytes that all calls of one connection may have queued for sending.
 *
 * <p>The first {@value #FREE_BYTES} bytes of each call are not counted, so calls with small
 * messages do not compete here. When the quota is used up, calls whose bytes can be sent still
 * continue: bytes of calls that their own windows block do not count for them, and {@value
 * #BEYOND_BYTES} more bytes are only for them, if the connection's window is open. Including the
 * free bytes of 256 calls, a connection has less than 1 MiB queued, plus one message of each call
 * that began to progress and stopped.
 *
 * <p>A client's calls that wait for a stream cannot progress. They have a quota of their own of the
 * same size, in which all their bytes count; a sender that finds it used up is woken when its call
 * has a stream.
 *
 * <p>Safe for all threads: senders use the quota, the connection's loop gives it back.
 */
final class SendQuota {
  /** The counted bytes of all calls above which each call has to wait. */
  static final int CONNECTION_BYTES = 64 << 10;

  /** What only calls whose bytes can be sent may have queued. */
  static final int BEYOND_BYTES = 64 << 10;

  /** The bytes of a call that are not counted. */
  static final int FREE_BYTES = 1 << 10;

  /** Smaller changes of a connection are not reported to the memory budget. */
  private static final int STEP_SHIFT = 16;

  private final MemoryLimiter budget;
  private final AtomicLong countedBytes = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile long limitBytes = CONNECTION_BYTES + BEYOND_BYTES;
  private volatile boolean asked;

  SendQuota(MemoryLimiter budget) {
    this.budget = budget;
  }

  /** The queued bytes of a call have changed from the first value to the second. */
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
   * Whether nothing more may be queued, not even by senders that do not ask first: memory is short,
   * and this connection uses its share.
   */
  boolean isOverfull() {
    long queued = countedBytes.get();
    return queued >= CONNECTION_BYTES && queued >= budget.queuePartBytes();
  }

  /**
   * Calls that wait for a stream have this many bytes more queued than before (or less, if
   * negative).
   */
  void changeWaiting(long bytes) {
    waitingBytes.addAndGet(bytes);
  }

  /** The queued bytes of calls that wait for a stream. */
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

  /** Whether there is quota for a call whose bytes can be sent. */
  boolean isAvailableForMoving() {
    return countedBytes.get() < limitBytes;
  }

  /**
   * Sets how much calls whose bytes can be sent may queue. On the loop.
   *
   * @param open whether the connection's window is open
   * @param standingBytes the counted bytes of calls that are blocked
   */
  void updateLimit(boolean open, long standingBytes) {
    long most = open ? CONNECTION_BYTES + standingBytes + BEYOND_BYTES : CONNECTION_BYTES;
    if (limitBytes != most) {
      limitBytes = most;
    }
  }

  /** A call waits until it may queue more. */
  void ask() {
    if (!asked) {
      asked = true;
    }
  }

  /** Whether a call has asked since the last time. On the loop. */
  boolean takeAsked() {
    boolean was = asked;
    if (was) {
      asked = false;
    }
    return was;
  }
}
