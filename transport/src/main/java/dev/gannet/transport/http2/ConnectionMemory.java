package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.transport.MemoryBudget;
import dev.gannet.transport.pipe.Pipe;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What one connection holds in both directions, and what follows from that: who is ready to send,
 * how much may come, and what the {@link MemoryBudget} hears. Confined to the connection's loop,
 * but for the {@link #sendQuota}.
 */
final class ConnectionMemory implements MemoryBudget.Member {
  /** So much that comes is a sign of life, though it makes nothing whole yet. */
  private static final int MOVING_IN_BYTES = 16 << 10;

  /** Of what waits for its reader so much must leave; a window can be opened by single bytes. */
  private static final int MOVING_OUT_BYTES = 1 << 10;

  /** Over how long the looks of many connections are spread. */
  private static final long SPREAD_NANOS = Duration.ofSeconds(2).toNanos();

  /** The golden section of that, by whose multiples any number is spread evenly. */
  private static final long SPREAD_STEP_NANOS = 1_236_067_977L;

  private final ConnectionLoop loop;
  private final Pipe pipe;
  private final Http2Connection connection;
  private final ReceiveAccounting held;
  private final SendQuota sendQuota;
  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final Consumer<String> shed;
  private final Consumer<Http2Stream> adding = this::addStanding;
  private final Consumer<Http2Stream> reconsidering = this::reconsider;
  private long callBytes;
  private long wholeBytes;
  private long handBytes;
  private long unseenBytes;
  private int arrivedBytes;
  private int sentBytes;
  private int served;
  private boolean squeezed;
  private long standing;

  /**
   * @param shed closes the connection because memory is short, and says why; called on any thread
   */
  ConnectionMemory(ConnectionLoop loop, Pipe pipe, MemoryBudget budget, Consumer<String> shed) {
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

  /** Has the connection look at its calls, for it may be one on which nothing else happens. */
  @Override
  public void onScarce() {
    loop.post(new StreamMail(() -> {}));
  }

  /** Whether the memory of the process is scarce, as of the last batch. */
  boolean isScarce() {
    return squeezed;
  }

  /** By how much this connection's looks are later than others', in nanoseconds. */
  long spreadNanos() {
    return Math.floorMod(share.number() * SPREAD_STEP_NANOS, SPREAD_NANOS);
  }

  ReceiveAccounting held() {
    return held;
  }

  SendQuota sendQuota() {
    return sendQuota;
  }

  /** The calls themselves take so much more than before, or less, without their messages. */
  void changeCalls(int bytes) {
    callBytes += bytes;
  }

  /** So much of that belongs to calls whose request is whole, or no more. */
  void changeWhole(int bytes) {
    wholeBytes += bytes;
  }

  /** Whether a call waits for its peer to go on with its request. */
  boolean hasUnfinishedCalls() {
    return callBytes > wholeBytes;
  }

  /** Handlers of large messages hold so much more of them, or will once those are whole. */
  void changeHands(int bytes) {
    handBytes += bytes;
  }

  /** So much more of what has come in part will be in the hands of handlers, or less. */
  void changePromised(int bytes) {
    share.promise(bytes);
  }

  /** A call was answered, or a message taken by its reader. */
  void onServed() {
    served++;
  }

  /** So much of messages has arrived. */
  void onArrived(int bytes) {
    arrivedBytes += bytes;
  }

  /** So much of messages has left. */
  void onSent(int bytes) {
    sentBytes += bytes;
  }

  /**
   * A client's calls keep so much more than before, or less, that their server may not have seen.
   */
  void changeUnseen(long bytes) {
    unseenBytes += bytes;
  }

  /** What they keep, in bytes; what waits to be written is part of it. */
  long unseenBytes() {
    return unseenBytes;
  }

  /** Draws the consequences of what a batch has changed. */
  void settle() {
    if (squeezed != budget.isScarce()) {
      squeezed = !squeezed;
      connection.squeeze(squeezed);
    }
    held.settle();
    sendQuota.look(connection.canSend(), sendQuota.isAvailable() ? 0 : standingBytes());
    if (sendQuota.isAvailableForMoving() && sendQuota.takeAsked()) {
      connection.scanStreams(reconsidering);
    }
  }

  /** Also tells each call whether it is one of them. */
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
   * Tells the budget, after everything that may leave has left.
   *
   * @param unreadBytes what has arrived and waits to be looked at
   */
  void report(int unreadBytes, long nowNanos) {
    reportProgress(nowNanos);
    long othersBytes = wholeBytes + handBytes + connection.keptBytes();
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

  /** Messages and parts of messages, of both directions. */
  private long messageBytes() {
    long queuedBytes = connection.queuedBytes() + sendQuota.waitingBytes();
    return held.memoryBytes() + Math.max(queuedBytes, unseenBytes) + pipe.unsentBytes();
  }

  /** Whether there is memory for so much more. */
  boolean hasRoomFor(long bytes) {
    long nowBytes = callBytes + handBytes + messageBytes() + connection.keptBytes();
    return share.hasRoomFor(bytes, nowBytes - share.reportedBytes(), pipe.nanoTime());
  }

  /**
   * What the handler of a large message holds of it; less where messages are so long that few of
   * them fit.
   */
  int handBytes(long messageBytes) {
    long most = Math.min(Integer.MAX_VALUE, (budget.limitBytes() - messageBytes) / 2);
    return (int) Math.min(IncomingMessages.HANDS * messageBytes, Math.max(0, most));
  }

  /** The connection is gone. */
  void leave() {
    share.leave();
  }
}
