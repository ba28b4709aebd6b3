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
   * No stream was opened yet.
   *
   * @param maxConcurrentStreams how many may be open at once
   */
  PeerStreams(int maxConcurrentStreams) {
    this.most = maxConcurrentStreams;
  }

  /**
   * The largest id that arrived: a stream with a larger id is new, one with a smaller id is old.
   */
  int lastId() {
    return lastId;
  }

  /** Whether this id is among those that the peer skipped last when it opened a later stream. */
  boolean wasSkipped(int streamId) {
    return streamId > skippedFrom && streamId < skippedTo;
  }

  /**
   * A stream with a larger id than all others has arrived; true if there is a slot for it, which it
   * holds from now on.
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
   * the wire, and open the next stream as soon as they cancel one: so as many handlers again may
   * still be running, and a peer that resets in a loop is stopped at that number.
   */
  private boolean isFull(int openStreams) {
    return isFullOnWire(openStreams) || heldSlots >= 2 * most;
  }

  /**
   * Whether a client can know that it may open no more streams. It cannot know of handlers that
   * still run, nor of a GOAWAY that may be on its way.
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
   * The last stream id for a GOAWAY that is sent now. It never grows from one GOAWAY to the next,
   * and no stream above it is accepted any more.
   */
  int lastServedId() {
    announcedLastId = Math.min(announcedLastId, lastAcceptedId);
    return announcedLastId;
  }

  /** Whether {@link #lastServedId} was never called. */
  boolean areAllServed() {
    return announcedLastId == Integer.MAX_VALUE;
  }
}
