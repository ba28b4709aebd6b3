package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.pipe.Pipe;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What one connection holds in both directions, and what follows from that: which calls may send,
 * how much may arrive, and what is reported to the {@link MemoryLimiter}. Confined to the
 * connection's loop, except the {@link #sendQuota}.
 */
final class ConnectionMemory implements MemoryLimiter.Member {
  /** Receiving this many bytes counts as movement, although no message is complete yet. */
  private static final int MOVING_IN_BYTES = 16 << 10;

  /**
   * This many bytes that wait for their reader must be sent to count as movement; a peer can open a
   * window byte by byte.
   */
  private static final int MOVING_OUT_BYTES = 1 << 10;

  /** The checks of many connections are spread over this time. */
  private static final long SPREAD_NANOS = Duration.ofSeconds(2).toNanos();

  /** The golden section of that time; its multiples are spread evenly. */
  private static final long SPREAD_STEP_NANOS = 1_236_067_977L;

  private final ConnectionLoop loop;
  private final Pipe pipe;
  private final Http2Connection connection;
  private final ReceiveAccounting held;
  private final SendQuota sendQuota;
  private final MemoryLimiter budget;
  private final MemoryLimiter.Share share;
  private final Consumer<String> shed;
  private final Consumer<Http2Stream> adding = this::addStanding;
  private final Consumer<Http2Stream> reconsidering = this::reconsider;
  private long callBytes;
  private long wholeBytes;
  private long handlerBytes;
  private long replayBytes;
  private int arrivedBytes;
  private int sentBytes;
  private int served;
  private boolean squeezed;
  private long standing;

  /**
   * @param shed closes the connection because memory is short, with the reason; called on any
   *     thread
   */
  ConnectionMemory(ConnectionLoop loop, Pipe pipe, MemoryLimiter budget, Consumer<String> shed) {
    this.loop = loop;
    this.pipe = pipe;
    this.shed = shed;
    this.connection = loop.connection();
    this.held = new ReceiveAccounting(loop);
    this.budget = budget;
    this.sendQuota = new SendQuota(budget);
    this.share = budget.join(pipe.info().remoteAddress(), pipe.nanoTime(), this);
  }

  @Override
  public void onShed(String why) {
    shed.accept(why);
  }

  /** Has the connection check its calls, because nothing else may happen on it. */
  @Override
  public void onScarce() {
    loop.post(new StreamMail(() -> {}));
  }

  /** Whether the memory of the process was short at the last batch. */
  boolean isScarce() {
    return squeezed;
  }

  /** How much later this connection's checks are than others', in nanoseconds. */
  long spreadNanos() {
    return Math.floorMod(share.number() * SPREAD_STEP_NANOS, SPREAD_NANOS);
  }

  ReceiveAccounting held() {
    return held;
  }

  SendQuota sendQuota() {
    return sendQuota;
  }

  /**
   * The calls themselves, without their messages, take this many bytes more (or less, if negative).
   */
  void changeCalls(int bytes) {
    callBytes += bytes;
  }

  /**
   * That many bytes of the calls belong to calls whose request is complete (or no longer do, if
   * negative).
   */
  void changeWhole(int bytes) {
    wholeBytes += bytes;
  }

  /** Whether a call waits for its peer to continue its request. */
  boolean hasUnfinishedCalls() {
    return callBytes > wholeBytes;
  }

  /**
   * Handlers of large messages hold this many bytes more, or will once the messages are complete.
   */
  void changeHandlerBytes(int bytes) {
    handlerBytes += bytes;
  }

  /**
   * That many bytes more of partly received messages will be held by handlers (or less, if
   * negative).
   */
  void changeReserved(int bytes) {
    share.changeReserved(bytes);
  }

  /** A call was answered, or its reader has taken a message. */
  void onServed() {
    served++;
  }

  /** That many bytes of messages have arrived. */
  void onArrived(int bytes) {
    arrivedBytes += bytes;
  }

  /** That many bytes of messages were sent. */
  void onSent(int bytes) {
    sentBytes += bytes;
  }

  /**
   * A client's calls keep copies of this many bytes more (or less), to send them again if the
   * server has not processed them.
   */
  void changeReplayBytes(long bytes) {
    replayBytes += bytes;
  }

  /** The bytes of these copies, including those that wait to be written. */
  long replayBytes() {
    return replayBytes;
  }

  /** Applies the consequences of what a batch has changed. */
  void settle() {
    if (squeezed != budget.isScarce()) {
      squeezed = !squeezed;
      connection.squeeze(squeezed);
    }
    held.settle();
    sendQuota.updateLimit(connection.canSend(), sendQuota.isAvailable() ? 0 : standingBytes());
    if (sendQuota.isAvailableForMoving() && sendQuota.takeAsked()) {
      connection.scanStreams(reconsidering);
    }
  }

  /**
   * Sums up the queued bytes that closed windows block, and marks each call that has such bytes.
   */
  private long standingBytes() {
    standing = 0;
    connection.scanStreams(adding);
    return standing;
  }

  private void addStanding(Http2Stream stream) {
    if (stream.attachment() instanceof CallStream<?, ?> call) {
      standing += call.outgoing.standingBytes(stream);
    }
  }

  private void reconsider(Http2Stream stream) {
    if (stream.attachment() instanceof CallStream<?, ?> call && call.outgoing.isReadyNow()) {
      call.onReady();
    }
  }

  /**
   * Reports to the budget, after everything that can be sent was sent.
   *
   * @param unreadBytes the bytes that have arrived and wait to be parsed
   */
  void report(int unreadBytes, long nowNanos) {
    reportProgress(nowNanos);
    long othersBytes = wholeBytes + handlerBytes + connection.keptBytes();
    long owedBytes = callBytes - wholeBytes + messageBytes() + unreadBytes;
    share.report(owedBytes + othersBytes, owedBytes, nowNanos);
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
    return held.memoryBytes() + Math.max(queuedBytes, replayBytes) + pipe.unsentBytes();
  }

  /** Whether there is memory for this many bytes more. */
  boolean hasMemoryFor(long bytes) {
    long nowBytes = callBytes + handlerBytes + messageBytes() + connection.keptBytes();
    return share.hasMemoryFor(bytes, nowBytes - share.reportedBytes(), pipe.nanoTime());
  }

  /**
   * The bytes that the handler of a large message holds of it; less where messages are so long that
   * few of them fit.
   */
  int handlerBytes(long messageBytes) {
    long most = Math.min(Integer.MAX_VALUE, (budget.limitBytes() - messageBytes) / 2);
    return (int) Math.min(IncomingMessages.HANDLER_MEMORY_FACTOR * messageBytes, Math.max(0, most));
  }

  /** The connection is closed. */
  void leave() {
    share.leave();
  }
}
