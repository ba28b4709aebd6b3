package dev.gannet.suites;

import dev.gannet.simulation.SimulatedLoop;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * What is under way in one direction of a connection: pieces in their order, each with the time of
 * its arrival.
 */
final class Lane {
  /** What the lane leads to. */
  interface Ends {
    /** Brings bytes; they are spoilt behind this. */
    void arrive(ByteBuffer bytes);

    /** All that arrives at this time was brought. */
    void arrived();

    /** More may be sent. */
    void drained();

    /** The sender's end has arrived: no bytes follow. */
    void ended();
  }

  /** One flush, whose pieces share a buffer of the pool. */
  private static final class Parcel {
    private final ByteBuffer buffer;
    private final int bytes;
    private int pieces;

    Parcel(ByteBuffer buffer) {
      this.buffer = buffer;
      this.bytes = buffer.position();
    }
  }

  /** A part of a parcel, from one byte to another; without bytes it is the end. */
  private record Piece(Parcel parcel, int from, int to, long arrivalNanos) {
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

  /** Takes what was written into a buffer of the pool, and the buffer with it. */
  void send(ByteBuffer filled) {
    Parcel parcel = new Parcel(filled);
    if (shut || parcel.bytes == 0) {
      pool.takeBack(filled, parcel.bytes);
      return;
    }
    bytesUnderWay += parcel.bytes;
    for (int from = 0; from < parcel.bytes; ) {
      int to = from + chance.pieceBytes(parcel.bytes - from);
      add(parcel, from, to);
      from = to;
    }
  }

  /** Nothing follows what was sent so far. */
  void sendEnd() {
    if (!shut) {
      add(new Parcel(ByteBuffer.allocate(0)), 0, 0);
      shut = true;
    }
  }

  private void add(Parcel parcel, int from, int to) {
    long arrivalNanos = loop.nanoTime() + chance.latencyNanos();
    if (arrivalNanos - lastArrivalNanos > 0) {
      lastArrivalNanos = arrivalNanos;
    }
    parcel.pieces++;
    underWay.add(new Piece(parcel, from, to, lastArrivalNanos));
    scheduleNext();
  }

  private void scheduleNext() {
    Piece next = underWay.peek();
    if (next != null && !scheduled && !stalled && !unread) {
      scheduled = true;
      loop.schedule(bring, next.arrivalNanos - loop.nanoTime());
    }
  }

  /** Brings what is due, as one batch. */
  private void bring() {
    scheduled = false;
    int brought = 0;
    for (Piece next = underWay.peek();
        next != null && isDue(next) && !next.isEnd();
        next = underWay.peek()) {
      underWay.remove();
      bytesUnderWay -= next.to - next.from;
      brought++;
      ends.arrive(next.parcel.buffer.limit(next.to).position(next.from));
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

  /** Whether the reader takes what arrives; it stays under way otherwise. */
  void setRead(boolean read) {
    unread = !read;
    scheduleNext();
  }

  /** Spoils a piece, and gives the buffer back with its last one. */
  private void leave(Piece piece) {
    Parcel parcel = piece.parcel;
    parcel.pieces--;
    if (parcel.pieces == 0) {
      pool.takeBack(parcel.buffer, parcel.bytes);
    } else {
      BufferPool.spoil(parcel.buffer, piece.from, piece.to);
    }
  }

  /** Holds what is under way: the receiver does not read. */
  void stall() {
    stalled = true;
  }

  void resume() {
    stalled = false;
    scheduleNext();
  }

  /** Loses all that is under way, and all that follows. */
  void cut() {
    shut = true;
    underWay.stream().filter(piece -> !piece.isEnd()).forEach(this::leave);
    underWay.clear();
    bytesUnderWay = 0;
  }
}
