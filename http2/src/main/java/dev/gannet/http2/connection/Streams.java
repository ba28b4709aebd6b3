package dev.gannet.http2.connection;

import dev.gannet.http2.stream.ReceiveWindow;
import dev.gannet.http2.stream.SendWindow;
import dev.gannet.http2.stream.StreamState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: which are open, which are closed, and whether another may be opened
 * (RFC 9113 §5.1).
 *
 * <p>Writes nothing: {@link Outbound} tells the peer of changes.
 */
final class Streams {
  private static final int FIRST_CLIENT_STREAM_ID = 1;

  private final ConnectionEnvironment environment;
  private final PeerSettings peer;
  private final InitialWindow receiveWindow;
  private final PeerCredit credit;
  private final PeerStreams peerStreams;
  private final StreamTable table = new StreamTable();

  /** The id of this side's next stream; negative when there are no more. */
  private int nextId = FIRST_CLIENT_STREAM_ID;

  private boolean peerGoesAway;
  private boolean settingsKnown;
  private long begun;

  /**
   * No stream is open yet.
   *
   * @param peer how many streams the peer accepts, and what it may be sent on each
   * @param receiveWindow what the peer may send on each
   */
  Streams(
      ConnectionEnvironment environment,
      PeerSettings peer,
      InitialWindow receiveWindow,
      PeerCredit credit) {
    this.environment = environment;
    this.peer = peer;
    this.receiveWindow = receiveWindow;
    this.credit = credit;
    this.peerStreams = new PeerStreams(environment.limits().maxConcurrentStreams());
  }

  /** How many streams are open. */
  int count() {
    return table.size();
  }

  /** How many streams were ever opened. */
  long begun() {
    return begun;
  }

  @Nullable Http2Stream find(int streamId) {
    return table.find(streamId);
  }

  /** Passes all streams that are open at this moment to the action. */
  void forEach(Consumer<Http2Stream> action) {
    table.forEach(action);
  }

  /** Passes all open streams to the action, which must neither open nor close any. */
  void scan(Consumer<Http2Stream> action) {
    table.scan(action);
  }

  /** Whether the stream was never opened, by either side. */
  boolean isIdle(int streamId) {
    boolean clients = (streamId & 1) == 1;
    int last = environment.isClient() ? nextId - 2 : peerStreams.lastId();
    return !clients || streamId > last;
  }

  /**
   * Whether the peer opens a stream by that id: it is larger than the ids of all of its streams so
   * far.
   */
  boolean isNewOfPeer(int streamId) {
    return environment.isServer() && streamId > peerStreams.lastId();
  }

  /** Whether this id is among those that the peer skipped last when it opened a later stream. */
  boolean wasSkipped(int streamId) {
    return peerStreams.wasSkipped(streamId);
  }

  /** Whether this side may open a stream now: ids are left and the peer's limit allows one more. */
  boolean canOpen() {
    return !peerGoesAway && !isExhausted() && table.size() < peer.maxConcurrentStreams();
  }

  /** Whether this side has opened as many streams as it should. */
  boolean isRunningOut() {
    return isExhausted() || nextId / 2 >= environment.limits().streamsPerConnection();
  }

  /** Whether this side can open no more streams. */
  boolean isExhausted() {
    return nextId < 0;
  }

  /** Skips the ids below that one. */
  void skipBelow(int streamId) {
    nextId = streamId;
  }

  /** A new stream of this side. */
  Http2Stream open() {
    Http2Stream stream = begin(nextId);
    nextId += 2;
    return stream;
  }

  /** A stream without an id, for a connection on which nothing is sent any more. */
  Http2Stream openInVain() {
    Http2Stream stream = begin(nextId);
    move(stream, StreamState.RESET_BY_PEER);
    return stream;
  }

  /** A new stream of the peer, or null if there is no slot for one. */
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

  /** What the peer may send on a stream that is opened now, in bytes. */
  int receiveWindowBytes() {
    return receiveWindow.bytesInForce();
  }

  /** Changes the state of a stream. */
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

  /** The last stream id for a GOAWAY that is sent now; no stream above it is accepted any more. */
  int lastServedId() {
    return peerStreams.lastServedId();
  }

  /** Whether no GOAWAY has named a last stream yet. */
  boolean areAllServed() {
    return peerStreams.areAllServed();
  }

  /** No stream is opened after the peer's GOAWAY. */
  void onPeerGoesAway() {
    peerGoesAway = true;
  }

  /** The peer has acknowledged this side's first SETTINGS. */
  void onSettingsKnown() {
    settingsKnown = true;
  }

  /** Whether the peer knows this side's limits, including the number of streams. */
  boolean areSettingsKnown() {
    return settingsKnown;
  }

  /** Whether the peer opens a stream although it knows that it may not. */
  boolean isKnownToBeFull() {
    return settingsKnown && peerStreams.isFullOnWire(table.size());
  }
}
