package dev.gannet.transport.http2;

import dev.gannet.protocol.Deframer;
import org.jspecify.annotations.Nullable;

/**
 * What one call holds of the data that arrived, counted. Every change is reported to {@link
 * ReceiveAccounting}: bytes that keep windows closed, and spare memory, which does not. It also
 * checks whether an incomplete message goes on.
 *
 * <pre>
 *   ARRIVING ──the peer's end──► WHOLE
 *      │                           │
 *      └──────the call's end───────┴──┬──its reader may go on────► LEFT ────────────────┐
 *                                     ├──its handler still runs──► UNREAD_AFTER_END ────┤
 *                                     │                            (LEFT if it is much) ▼
 *                                     └──nobody reads, or it is little────────────► DROPPED
 * </pre>
 *
 * <p>From LEFT on, no more data is accepted. What waits for its reader is counted in LEFT; in
 * UNREAD_AFTER_END its memory is counted, but it does not block receiving for other calls; in
 * DROPPED it is not counted.
 *
 * <p>{@link IncomingMessages} extends this class instead of containing an instance, which saves an
 * object per call. Confined to the connection's loop, except the {@link MessageBacklog}.
 */
abstract sealed class CountedMessages implements HeldMessages permits IncomingMessages {
  /** Any backlog keeps the window closed. */
  static final int NO_BACKLOG_BYTES = 1;

  /** The memory of a waiting message, in addition to its bytes. */
  private static final int MESSAGE_MEMORY_BYTES = 128;

  /** Parts of messages smaller than this need no watching, nor does what an ended call has left. */
  private static final int MIN_WATCHED_BYTES = 2 << 10;

  /** A message makes progress if at least this many bytes arrive between two checks. */
  private static final int MIN_PROGRESS_BYTES = 1 << 10;

  /** For handlers that do not return; on one connection. */
  private static final int MAX_UNREAD_AFTER_END_BYTES = 4 << 20;

  /** The states above, in their order. */
  enum Phase {
    ARRIVING,
    WHOLE,
    LEFT,
    UNREAD_AFTER_END,
    DROPPED;

    /**
     * The call ends, or the next step of its end comes.
     *
     * @param backlogBytes what waits for its reader
     * @param spareBytes what the connection holds without blocking other calls
     */
    Phase ended(Unread unread, int backlogBytes, long spareBytes) {
      Phase next = LEFT;
      if (unread == Unread.DROPPED || backlogBytes < MIN_WATCHED_BYTES) {
        next = DROPPED;
      } else if (unread == Unread.HELD_BY_HANDLER
          && spareBytes + backlogBytes <= MAX_UNREAD_AFTER_END_BYTES) {
        next = UNREAD_AFTER_END;
      }
      return next.compareTo(this) > 0 ? next : this;
    }
  }

  final ReceivingParts parts;
  private final MessageBacklog backlog = new MessageBacklog();
  private @Nullable Deframer deframer;
  private Phase phase = Phase.ARRIVING;
  private int countedBytes;
  private int countedPartBytes;
  private int countedSpareBytes;
  private boolean hadStopped; // at the last check
  private short arrivedSinceCheck; // less than this is no progress

  CountedMessages(ReceivingParts parts) {
    this.parts = parts;
  }

  /** The complete messages that wait for their reader. */
  final MessageBacklog backlog() {
    return backlog;
  }

  /** What assembles messages; null before it is known. */
  final @Nullable Deframer deframer() {
    return deframer;
  }

  final void setDeframer(Deframer deframer) {
    this.deframer = deframer;
  }

  /** Data has arrived. */
  final void addArrived(int bytes) {
    arrivedSinceCheck = (short) Math.min(MIN_PROGRESS_BYTES, arrivedSinceCheck + bytes);
  }

  /** The peer has sent everything. */
  final void endArrival() {
    if (phase == Phase.ARRIVING) {
      phase = Phase.WHOLE;
    }
  }

  /** Whether the peer has not sent everything yet. */
  final boolean isArriving() {
    return phase == Phase.ARRIVING;
  }

  /** Whether no more data is accepted. */
  final boolean isOver() {
    return phase.compareTo(Phase.LEFT) >= 0;
  }

  /** No more data is accepted; counts what waits accordingly. */
  final void countAfterEnd(Unread unread) {
    if (!isOver()) {
      phase = Phase.LEFT;
      count(); // the bound below does not include what the deframer has just dropped
    }
    phase = phase.ended(unread, backlog.bytes(), parts.held().spareBytes());
    countAnew();
  }

  @Override
  public final void countNoMore() {
    phase = Phase.DROPPED;
    count();
  }

  @Override
  public final int heldBytes() {
    return countedBytes;
  }

  /** Counts what is held now. */
  final void count() {
    int part = partBytes();
    int waiting = phase == Phase.DROPPED ? 0 : backlog.bytes();
    int spare = phase == Phase.DROPPED ? 0 : backlog.messages() * MESSAGE_MEMORY_BYTES;
    if (deframer != null) {
      spare += Math.max(0, deframer.heldBytes() - part);
    }
    spare += phase == Phase.UNREAD_AFTER_END ? waiting : 0;
    int now = phase == Phase.UNREAD_AFTER_END ? 0 : waiting + part;
    if (now != countedBytes || part != countedPartBytes || spare != countedSpareBytes) {
      int change = now - countedBytes;
      int spareChange = spare - countedSpareBytes;
      countedBytes = now;
      countedPartBytes = part;
      countedSpareBytes = spare;
      parts.held().change(this, change, spareChange);
    }
  }

  @Override
  public final void countAnew() {
    if (phase != Phase.DROPPED) {
      backlog.wantBelow(NO_BACKLOG_BYTES);
    }
    count();
  }

  @Override
  public final int partBytes() {
    return isOver() || deframer == null ? 0 : deframer.partBytes();
  }

  /** Whether the stream lets the rest of a message arrive. */
  abstract boolean mayArrive();

  /** Whether the peer has begun a message, or its only request, and not completed it. */
  abstract boolean isUnfinished();

  @Override
  public final Progress checkProgress(boolean windowOpen, Memory memory) {
    boolean moved = arrivedSinceCheck == MIN_PROGRESS_BYTES;
    arrivedSinceCheck = 0;
    boolean couldMove = windowOpen && mayArrive();
    boolean owed = memory == Memory.SCARCE ? isUnfinished() : partBytes() >= MIN_WATCHED_BYTES;
    boolean stopped = owed && couldMove && !moved;
    Progress ofStopped = hadStopped ? Progress.STANDS_STILL : Progress.STOPPED;
    hadStopped = stopped;
    return stopped ? ofStopped : Progress.GOES_ON;
  }
}
