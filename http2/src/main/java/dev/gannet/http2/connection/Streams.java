package dev.gannet.http2.connection;

import dev.gannet.http2.stream.ReceiveWindow;
import dev.gannet.http2.stream.SendWindow;
import dev.gannet.http2.stream.StreamState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: which live, which have been, and whether another may be opened (RFC
 * 9113 §5.1).
 *
 * <p>Writes nothing: what a change of state means to the peer is {@link Outbound}'s to say.
 */
final class Streams {
  private static final int FIRST_CLIENT_STREAM_ID = 1;

  private final ConnectionContext context;
  private final PeerSettings peer;
  private final InitialWindow receiveWindow;
  private final PeerCredit credit;
  private final PeerStreams peerStreams;
  private final StreamTable table = new StreamTable();

  /** The id of this side's next stream; below zero when there are no more. */
  private int nextId = FIRST_CLIENT_STREAM_ID;

  private boolean peerGoesAway;
  private boolean settingsKnown;
  private long begun;

  /**
   * There are none yet.
   *
   * @param peer how many streams the peer takes, and what it may be sent on each
   * @param receiveWindow what the peer may send on each
   */
  Streams(
      ConnectionContext context,
      PeerSettings peer,
      InitialWindow receiveWindow,
      PeerCredit credit) {
    this.context = context;
    this.peer = peer;
    this.receiveWindow = receiveWindow;
    this.credit = credit;
    this.peerStreams = new PeerStreams(context.limits().maxConcurrentStreams());
  }

  /** How many live. */
  int count() {
    return table.size();
  }

  /** How many have ever lived. */
  long begun() {
    return begun;
  }

  @Nullable Http2Stream find(int streamId) {
    return table.find(streamId);
  }

  /** Shows all that live at this moment. */
  void forEach(Consumer<Http2Stream> action) {
    table.forEach(action);
  }

  /** Shows all that live. The action must neither open nor close any. */
  void scan(Consumer<Http2Stream> action) {
    table.scan(action);
  }

  /** Whether the stream was never opened, by either side. */
  boolean isIdle(int streamId) {
    boolean clients = (streamId & 1) == 1;
    int last = context.isClient() ? nextId - 2 : peerStreams.lastId();
    return !clients || streamId > last;
  }

  /** Whether the peer opens a stream by that id: it is above all of its streams so far. */
  boolean isNewOfPeer(int streamId) {
    return context.isServer() && streamId > peerStreams.lastId();
  }

  /**
   * Whether the peer left this id out when it opened a later stream, the last time it left any out.
   */
  boolean wasSkipped(int streamId) {
    return peerStreams.wasSkipped(streamId);
  }

  /** Whether this side may open a stream now: ids are left and the peer takes one more. */
  boolean canOpen() {
    return !peerGoesAway && !isExhausted() && table.size() < peer.maxConcurrentStreams();
  }

  /** Whether this side has opened as many streams as it should. */
  boolean isRunningOut() {
    return isExhausted() || nextId / 2 >= context.limits().streamsPerConnection();
  }

  /** Whether this side can open no stream any more. */
  boolean isExhausted() {
    return nextId < 0;
  }

  /** Leaves the ids below that one out. */
  void skipBelow(int streamId) {
    nextId = streamId;
  }

  /** A new stream of this side's. */
  Http2Stream open() {
    Http2Stream stream = begin(nextId);
    nextId += 2;
    return stream;
  }

  /** A stream that takes no id, for a connection on which nothing is sent any more. */
  Http2Stream openInVain() {
    Http2Stream stream = begin(nextId);
    move(stream, StreamState.RESET_BY_PEER);
    return stream;
  }

  /** A new stream of the peer's, or null where there is no place for one. */
  @Nullable Http2Stream admit(int streamId) {
    return peerStreams.admit(streamId, table.size()) ? begin(streamId) : null;
  }

  private Http2Stream begin(int streamId) {
    Http2Stream stream =
        new Http2Stream(
            streamId,
            new SendWindow(peer.initialWindowBytes()),
            new ReceiveWindow(receiveWindow.bytesInForce()));
    table.add(stream);
    begun++;
    credit.onStream();
    return stream;
  }

  /** What the peer may send on a stream that begins now, in bytes. */
  int receiveWindowBytes() {
    return receiveWindow.bytesInForce();
  }

  /** Brings a stream into its next state. */
  void move(Http2Stream stream, StreamState next) {
    stream.state = next;
    if (next.isClosed()) {
      table.remove(stream);
    }
  }

  /** Frees the slot of a stream that the peer opened. Once per stream. */
  void release() {
    peerStreams.freeSlot();
  }

  int heldSlots() {
    return peerStreams.heldSlots();
  }

  /** The last stream id for a GOAWAY that is said now; no stream above it is admitted any more. */
  int lastServedId() {
    return peerStreams.lastServedId();
  }

  /** Whether no GOAWAY has named a last stream yet. */
  boolean areAllServed() {
    return peerStreams.areAllServed();
  }

  /** No stream is opened behind a GOAWAY of the peer's. */
  void onPeerGoesAway() {
    peerGoesAway = true;
  }

  /** The peer has acknowledged our first SETTINGS. */
  void onSettingsKnown() {
    settingsKnown = true;
  }

  /** Whether the peer knows our limits, that on the number of streams among them. */
  boolean areSettingsKnown() {
    return settingsKnown;
  }

  /** Whether the peer opens a stream although it knows that it may not. */
  boolean isKnownToBeFull() {
    return settingsKnown && peerStreams.isFullOnWire(table.size());
  }
}
