package dev.gannet.suites;

import dev.gannet.simulation.SimulatedLoop;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * What is on its way in one direction of a connection: pieces in order, each with its time of
 * arrival.
 */
final class Lane {
  /** The ends of the lane. */
  interface Ends {
    /** Delivers bytes; they are overwritten after this. */
    void arrive(ByteBuffer bytes);

    /** Everything that arrives at this time was delivered. */
    void arrived();

    /** More may be sent. */
    void drained();

    /** The sender's end has arrived: no bytes follow. */
    void ended();
  }

  /** What one flush sends; its pieces share a buffer of the pool. */
  private static final class Flush {
    private final ByteBuffer buffer;
    private final int bytes;
    private int pieces;

    Flush(ByteBuffer buffer) {
      this.buffer = buffer;
      this.bytes = buffer.position();
    }
  }

  /** A part of a flush, from one byte to another; without bytes it is the end of the stream. */
  private record Piece(Flush flush, int from, int to, long arrivalNanos) {
    boolean isEnd() {
      return from == to;
    }
  }

  private final SimulatedLoop loop;
  private final Chance chance;
  private final BufferPool pool;
  private final Ends ends;
  private final Runnable bring = this::bring;
  private final ArrayDeque<Piece> underWay = new ArrayDeque<>();
  private int bytesUnderWay;
  private long lastArrivalNanos;
  private boolean scheduled;
  private boolean stalled;
  private boolean unread;
  private boolean shut;

  Lane(SimulatedLoop loop, Chance chance, BufferPool pool, Ends ends) {
    this.loop = loop;
    this.chance = chance;
    this.pool = pool;
    this.ends = ends;
    this.lastArrivalNanos = loop.nanoTime();
  }

  int bytesUnderWay() {
    return bytesUnderWay;
  }

  boolean hasRoomBeside(int waitingBytes) {
    return bytesUnderWay + waitingBytes < chance.wire().capacityBytes();
  }

  /** Takes what was written into a buffer of the pool, together with the buffer. */
  void send(ByteBuffer filled) {
    Flush flush = new Flush(filled);
    if (shut || flush.bytes == 0) {
      pool.takeBack(filled, flush.bytes);
      return;
    }
    bytesUnderWay += flush.bytes;
    for (int from = 0; from < flush.bytes; ) {
      int to = from + chance.pieceBytes(flush.bytes - from);
      add(flush, from, to);
      from = to;
    }
  }

  /** Nothing follows what was sent so far. */
  void sendEnd() {
    if (!shut) {
      add(new Flush(ByteBuffer.allocate(0)), 0, 0);
      shut = true;
    }
  }

  private void add(Flush flush, int from, int to) {
    long arrivalNanos = loop.nanoTime() + chance.latencyNanos();
    if (arrivalNanos - lastArrivalNanos > 0) {
      lastArrivalNanos = arrivalNanos;
    }
    flush.pieces++;
    underWay.add(new Piece(flush, from, to, lastArrivalNanos));
    scheduleNext();
  }

  private void scheduleNext() {
    Piece next = underWay.peek();
    if (next != null && !scheduled && !stalled && !unread) {
      scheduled = true;
      loop.schedule(bring, next.arrivalNanos - loop.nanoTime());
    }
  }

  /** Delivers what is due, as one batch. */
  private void bring() {
    scheduled = false;
    int brought = 0;
    for (Piece next = underWay.peek();
        next != null && isDue(next) && !next.isEnd();
        next = underWay.peek()) {
      underWay.remove();
      bytesUnderWay -= next.to - next.from;
      brought++;
      ends.arrive(next.flush.buffer.limit(next.to).position(next.from));
      leave(next);
    }
    if (brought > 0) {
      ends.arrived();
    }
    if (bytesUnderWay <= chance.wire().capacityBytes() / 2) {
      ends.drained();
    }
    Piece last = underWay.peek();
    if (last != null && isDue(last) && last.isEnd()) {
      underWay.remove();
      ends.ended();
    }
    scheduleNext();
  }

  private boolean isDue(Piece piece) {
    return !stalled && !unread && piece.arrivalNanos - loop.nanoTime() <= 0;
  }

  /** Whether the reader takes what arrives; otherwise it stays on its way. */
  void setRead(boolean read) {
    unread = !read;
    scheduleNext();
  }

  /** Overwrites a piece, and gives the buffer back with its last one. */
  private void leave(Piece piece) {
    Flush flush = piece.flush;
    flush.pieces--;
    if (flush.pieces == 0) {
      pool.takeBack(flush.buffer, flush.bytes);
    } else {
      BufferPool.spoil(flush.buffer, piece.from, piece.to);
    }
  }

  /** Holds what is on its way: the receiver does not read. */
  void stall() {
    stalled = true;
  }

  void resume() {
    stalled = false;
    scheduleNext();
  }

  /** Loses everything that is on its way, and everything that follows. */
  void cut() {
    shut = true;
    underWay.stream().filter(piece -> !piece.isEnd()).forEach(this::leave);
    underWay.clear();
    bytesUnderWay = 0;
  }
}
