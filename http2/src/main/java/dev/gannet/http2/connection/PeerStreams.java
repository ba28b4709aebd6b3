package dev.gannet.http2.connection;

/**
 * Which streams the peer has opened, by their ids, and how many of them hold a slot (RFC 9113
 * §5.1.1, §5.1.2, §6.8).
 */
final class PeerStreams {
  private final long most;
  private int lastId;
  private int lastAcceptedId;
  private int skippedFrom;
  private int skippedTo;
  private int heldSlots;
  private int announcedLastId = Integer.MAX_VALUE;

  /**
   * None was opened yet.
   *
   * @param maxConcurrentStreams how many may be open at once
   */
  PeerStreams(int maxConcurrentStreams) {
    this.most = maxConcurrentStreams;
  }

  /** The largest id that came: a stream above it is new, one below it has been. */
  int lastId() {
    return lastId;
  }

  /**
   * Whether the peer left this id out when it opened a later stream, the last time it left any out.
   */
  boolean wasSkipped(int streamId) {
    return streamId > skippedFrom && streamId < skippedTo;
  }

  /**
   * A stream above all others has come; true if there is a place for it, which it holds from now
   * on.
   *
   * @param openStreams how many are open on the wire
   */
  boolean admit(int streamId, int openStreams) {
    if (streamId > lastId + 2) {
      skippedFrom = lastId;
      skippedTo = streamId;
    }
    lastId = streamId;
    if (isFull(openStreams) || streamId > announcedLastId) {
      return false;
    }
    heldSlots++;
    lastAcceptedId = streamId;
    return true;
  }

  /**
   * A stream holds its slot until its handler has ended. Honest clients count only what is open on
   * the wire, and open the next as soon as they cancel one: so handlers may lag behind by as many
   * calls again, and a peer that resets in a loop is stopped there.
   */
  private boolean isFull(int openStreams) {
    return isFullOnWire(openStreams) || heldSlots >= 2 * most;
  }

  /**
   * Whether a client knows that it may open no more: not of handlers that lag behind, nor of a
   * GOAWAY that may be on its way.
   */
  boolean isFullOnWire(int openStreams) {
    return openStreams >= most;
  }

  void freeSlot() {
    heldSlots--;
  }

  int heldSlots() {
    return heldSlots;
  }

  /**
   * The last stream id for a GOAWAY that is said now. It never grows from one to the next, and no
   * stream above it is admitted any more.
   */
  int lastServedId() {
    announcedLastId = Math.min(announcedLastId, lastAcceptedId);
    return announcedLastId;
  }

  /** Whether {@link #lastServedId} was never asked. */
  boolean areAllServed() {
    return announcedLastId == Integer.MAX_VALUE;
  }
}
