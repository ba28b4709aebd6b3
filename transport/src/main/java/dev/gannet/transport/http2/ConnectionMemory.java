package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.pipe.Pipe;
import java.time.Duration;

/**
 * The memory that one connection takes from the {@link MemoryLimiter}, in both directions. It is
 * reported at the end of each batch, together with the bytes that have moved. Confined to the
 * connection's loop.
 */
final class ConnectionMemory {
  /** Receiving this many bytes counts as movement, although no message is complete yet. */
  private static final int MOVING_IN_BYTES = 16 << 10;

  /**
   * This many bytes that wait for their reader must be sent to count as movement; a peer can open a
   * window byte by byte.
   */
  private static final int MOVING_OUT_BYTES = 1 << 10;

  /**
   * The objects of the connection itself: measured 7 KiB without calls, and 12 with the tables that
   * its first header lists leave.
   */
  private static final int OBJECTS_BYTES = 12 << 10;

  /** The checks of many connections are spread over this time. */
  private static final long SPREAD_NANOS = Duration.ofSeconds(2).toNanos();

  /** The golden section of that time; its multiples are spread evenly. */
  private static final long SPREAD_STEP_NANOS = 1_236_067_977L;

  /** Whether this connection was chosen because memory is short. */
  private enum Shed {
    NEVER,
    /** The connection's calls end in this batch; at its end the connection counts again. */
    NOW,
    ONCE
  }

  private final MemoryLimiter.Share share;
  private final Pipe pipe;
  private final Http2Connection connection;
  private final ReceiveAccounting held;
  private final SendQuota sendQuota;
  private final CallMemory calls;
  private final long spreadNanos;
  private int arrivedBytes;
  private int sentBytes;
  private int served;
  private Shed shed = Shed.NEVER;

  /**
   * The memory of a connection that holds nothing yet.
   *
   * @param share the connection's share of the budget
   */
  ConnectionMemory(
      MemoryLimiter.Share share,
      Pipe pipe,
      Http2Connection connection,
      ReceiveAccounting held,
      SendQuota sendQuota,
      CallMemory calls) {
    this.share = share;
    this.pipe = pipe;
    this.connection = connection;
    this.held = held;
    this.sendQuota = sendQuota;
    this.calls = calls;
    this.spreadNanos = Math.floorMod(share.number() * SPREAD_STEP_NANOS, SPREAD_NANOS);
  }

  /** How much later this connection's checks are than others', in nanoseconds. */
  long spreadNanos() {
    return spreadNanos;
  }

  /**
   * This many bytes more of partly received messages will be held by handlers (or less, if
   * negative).
   */
  void changeReserved(int bytes) {
    share.changeReserved(bytes);
  }

  /** A call was answered, or its reader has taken a message. */
  void onServed() {
    served++;
  }

  /** This many bytes of messages have arrived. */
  void onArrived(int bytes) {
    arrivedBytes += bytes;
  }

  /** This many bytes of messages were sent. */
  void onSent(int bytes) {
    sentBytes += bytes;
  }

  /**
   * Reports to the budget, after everything that can be sent was sent. The objects of a connection
   * count only while it has calls or messages.
   *
   * @param unreadBytes the bytes that have arrived and wait to be parsed
   */
  void report(int unreadBytes, long nowNanos) {
    reportProgress(nowNanos);
    long owedBytes = calls.unfinishedBytes() + messageBytes() + unreadBytes;
    long allBytes = allBytes(owedBytes);
    share.report(allBytes, owedBytes, nowNanos);
    if (shed == Shed.NOW) {
      shed = Shed.ONCE;
      share.rejoin(allBytes, nowNanos);
    }
  }

  /**
   * Memory is short, and this connection was chosen. Returns whether it is enough to end its calls.
   * That is so once, if no call was ever served: the peer may not notice, but if the connection
   * were closed, it would reconnect at once.
   */
  boolean tryStayWithoutCalls() {
    if (shed == Shed.NEVER && !share.isServed()) {
      shed = Shed.NOW;
    }
    return shed == Shed.NOW;
  }

  /**
   * Whether there is memory for another call of the peer. One call is admitted in any case, unless
   * the connection has lost its calls before.
   */
  boolean admitsCall() {
    return share.admitsCall(calls.openCalls(), shed == Shed.NEVER ? 1 : 0);
  }

  /**
   * All bytes that the connection holds, including those of messages that the peer has to complete.
   */
  private long allBytes(long owedBytes) {
    long callBytes = owedBytes + calls.servedBytes();
    return callBytes + connection.keptBytes() + (callBytes == 0 ? 0 : OBJECTS_BYTES);
  }

  private void reportProgress(long nowNanos) {
    boolean empty = sentBytes > 0 && connection.queuedBytes() == 0;
    if (served > 0 || empty || sentBytes >= MOVING_OUT_BYTES) {
      share.onServed(Math.max(1, served), nowNanos);
      served = 0;
      sentBytes = 0;
    }
    if (arrivedBytes >= MOVING_IN_BYTES) {
      share.onMoved(nowNanos);
      arrivedBytes = 0;
    }
  }

  /** The bytes of messages and parts of messages, of both directions. */
  private long messageBytes() {
    long queuedBytes = connection.queuedBytes() + sendQuota.waitingBytes();
    return held.memoryBytes() + Math.max(queuedBytes, calls.replayBytes()) + pipe.unsentBytes();
  }

  /** Makes room for this many bytes more; returns false if there is not enough memory. */
  boolean tryMakeRoom(long bytes) {
    long nowBytes = allBytes(calls.unfinishedBytes() + messageBytes());
    return share.tryMakeRoom(bytes, nowBytes - share.reportedBytes(), pipe.nanoTime());
  }

  /**
   * The bytes that the handler of a large message holds of it; less where messages are so long that
   * few of them fit.
   */
  int handlerBytes(long messageBytes) {
    long most = Math.min(Integer.MAX_VALUE, (share.limitBytes() - messageBytes) / 2);
    return (int) Math.min(MessageCharges.HANDLER_MEMORY_FACTOR * messageBytes, Math.max(0, most));
  }

  /** The connection is closed. */
  void leave() {
    share.leave();
  }
}
