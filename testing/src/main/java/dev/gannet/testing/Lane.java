package dev.gannet.testing;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * What is under way in one direction of a connection: pieces in their order, each with the time of
 * its arrival.
 */
final class Lane {
  /** What the lane leads to. */
  interface Ends {
    /** Brings a piece. */
    void arrive(ByteBuffer bytes);

    /** All that arrives at this time was brought. */
    void arrived();

    /** More may be sent. */
    void drained();

    /** The sender's end has arrived. */
    void ended();
  }

  /** A piece; without bytes it is the end. */
  private record Piece(ByteBuffer bytes, long arrivalNanos) {
    boolean isEnd() {
      return !bytes.hasRemaining();
    }
  }

  private final SimulatedLoop loop;
  private final Chance chance;
  private final Ends ends;
  private final ArrayDeque<Piece> underWay = new ArrayDeque<>();
  private int bytesUnderWay;
  private long lastArrivalNanos;
  private boolean scheduled;
  private boolean stalled;
  private boolean unread;
  private boolean cut;

  Lane(SimulatedLoop loop, Chance chance, Ends ends) {
    this.loop = loop;
    this.chance = chance;
    this.ends = ends;
    this.lastArrivalNanos = loop.nanoTime();
  }

  int bytesUnderWay() {
    return bytesUnderWay;
  }

  boolean hasRoomBeside(int waitingBytes) {
    return bytesUnderWay + waitingBytes < chance.wire().capacityBytes();
  }

  void send(byte[] bytes) {
    for (int from = 0; from < bytes.length; ) {
      int size = chance.pieceBytes(bytes.length - from);
      add(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + size)));
      from += size;
    }
  }

  void sendEnd() {
    add(ByteBuffer.allocate(0));
  }

  private void add(ByteBuffer bytes) {
    if (cut) {
      return;
    }
    long arrivalNanos = loop.nanoTime() + chance.latencyNanos();
    if (arrivalNanos - lastArrivalNanos > 0) {
      lastArrivalNanos = arrivalNanos;
    }
    underWay.add(new Piece(bytes, lastArrivalNanos));
    bytesUnderWay += bytes.remaining();
    scheduleNext();
  }

  private void scheduleNext() {
    Piece next = underWay.peek();
    if (next != null && !scheduled && !stalled && !unread) {
      scheduled = true;
      loop.schedule(this::bring, next.arrivalNanos - loop.nanoTime());
    }
  }

  /** Brings what is due, as one batch. */
  private void bring() {
    scheduled = false;
    int brought = 0;
    Piece next = underWay.peek();
    while (next != null && isDue(next) && !next.isEnd()) {
      underWay.remove();
      bytesUnderWay -= next.bytes.remaining();
      brought++;
      ends.arrive(next.bytes);
      next = underWay.peek();
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

  void stall() {
    stalled = true;
  }

  void resume() {
    stalled = false;
    scheduleNext();
  }

  /** Loses all that is under way, and all that follows. */
  void cut() {
    cut = true;
    underWay.clear();
    bytesUnderWay = 0;
  }
}
