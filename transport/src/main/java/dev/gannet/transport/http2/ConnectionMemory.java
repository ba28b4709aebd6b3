package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.transport.MemoryBudget;
import dev.gannet.transport.pipe.Pipe;
import java.util.function.Consumer;

/**
 * What one connection holds in both directions, and what follows from that: who is ready to send,
 * how much may come, and what the {@link MemoryBudget} hears. Confined to the connection's loop,
 * but for the {@link #sendRoom}.
 */
final class ConnectionMemory {
  private final Pipe pipe;
  private final Http2Connection connection;
  private final HeldBytes held;
  private final SendRoom sendRoom;
  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final Consumer<Http2Stream> adding = this::addStanding;
  private final Consumer<Http2Stream> reconsidering = this::reconsider;
  private long callBytes;
  private long unseenBytes;
  private boolean squeezed;
  private long standing;

  /**
   * @param shed closes the connection because it holds the most; called on any thread
   */
  ConnectionMemory(ConnectionLoop loop, Pipe pipe, MemoryBudget budget, Runnable shed) {
    this.pipe = pipe;
    this.connection = loop.connection();
    this.held = new HeldBytes(loop);
    this.budget = budget;
    this.sendRoom = new SendRoom(budget);
    this.share = budget.join(shed);
  }

  HeldBytes held() {
    return held;
  }

  SendRoom sendRoom() {
    return sendRoom;
  }

  /** The calls themselves take so much more than before, or less, without their messages. */
  void changeCalls(int bytes) {
    callBytes += bytes;
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
    sendRoom.look(connection.canSend(), sendRoom.hasRoom() ? 0 : standingBytes());
    if (sendRoom.hasRoomForMoving() && sendRoom.takeAsked()) {
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
  void report(int unreadBytes) {
    long queuedBytes = connection.queuedBytes() + sendRoom.waitingBytes();
    long outgoingBytes = Math.max(queuedBytes, unseenBytes);
    long incomingBytes = held.memoryBytes() + unreadBytes + connection.keptBytes();
    share.report(callBytes + incomingBytes + outgoingBytes + pipe.unsentBytes());
  }

  /** The connection is gone. */
  void leave() {
    share.leave();
  }
}
