package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Offence;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.FrameReader;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.stream.SendWindow;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of an HTTP/2 connection (RFC 9113), client or server, as pure state.
 *
 * <p>Contract: {@link #start} once, then in any order {@link #receive} with what came from the peer
 * and the {@code send…} methods with what is to go there; after each batch of these {@link #flush}.
 * Frames are written into the {@link ByteSink}, events are told to the {@link ConnectionEvents}
 * from inside these methods. Control frames and headers are written at once, data at the flush.
 * Once a violation was told to {@code onFailed}, nothing is read or written any more. Confined to
 * one thread; knows no clock: whoever calls brings the time, in nanoseconds of any steady origin.
 */
public final class Http2Connection {
  private static final int FIRST_CLIENT_STREAM_ID = 1;

  /** The id of this side's next stream; below zero when there are no more. */
  int nextStreamId = FIRST_CLIENT_STREAM_ID;

  final Role role;
  final Limits limits;
  final ConnectionEvents events;
  final FrameWriter writer;
  final PeerSettings peer;
  final StreamTable streams = new StreamTable();
  final PeerStreams peerStreams;
  final ResetMemory resets;
  final InboundFlow inbound;
  final UpdateAllowance updates = new UpdateAllowance();
  final ResetAllowance resetsToCome = new ResetAllowance();
  boolean progress;
  final ReceivedMessages messages;
  final StreamErrors streamErrors = new StreamErrors(this);
  final PauseCredit pauses;
  final AbuseLedger ledger;
  final Intake intake;
  final ConnectionTimers timers;
  final DataScheduler scheduler;
  long nowNanos;

  private final ReceivedFrames received;
  private final FrameReader reader;
  private final HpackEncoder encoder;
  private final HeaderBlock block = new HeaderBlock();
  private boolean settingsAcknowledged;
  private boolean failed;
  private boolean peerGoesAway;

  /**
   * An end that has said nothing yet.
   *
   * @param nowNanos when the way to the peer was opened: its handshake counts from here
   */
  public Http2Connection(
      Role role, Limits limits, ByteSink sink, ConnectionEvents events, long nowNanos) {
    this.role = role;
    this.limits = limits;
    this.events = events;
    this.nowNanos = nowNanos;
    this.writer = new FrameWriter(sink);
    this.peer = new PeerSettings(role);
    this.messages = new ReceivedMessages(role);
    this.peerStreams = new PeerStreams(limits.maxConcurrentStreams());
    this.resets = new ResetMemory(role == Role.SERVER ? limits.maxConcurrentStreams() : 0);
    this.pauses = new PauseCredit(limits.maxConcurrentStreams());
    this.ledger = new AbuseLedger(limits, pauses);
    this.intake = new Intake(limits, sink);
    this.inbound = new InboundFlow(this, limits.windows(), nowNanos);
    this.encoder = new HpackEncoder(limits.headers().tableBytes());
    this.timers = new ConnectionTimers(this, sink);
    this.received = new ReceivedFrames(this);
    this.reader = new FrameReader(role, limits.maxFrameBytes(), received);
    this.scheduler = new DataScheduler(writer, sink, new WrittenData(this));
  }

  /**
   * Writes what this side says first: the preface (client) and SETTINGS, and opens the connection's
   * window.
   */
  public void start() {
    boolean client = role == Role.CLIENT;
    if (client) {
      writer.preface();
    }
    writer.settings(
        client ? PeerSettings.ENABLE_PUSH : PeerSettings.MAX_CONCURRENT_STREAMS,
        client ? 0 : limits.maxConcurrentStreams(),
        PeerSettings.INITIAL_WINDOW_SIZE,
        limits.windows().streamBytes(),
        PeerSettings.MAX_HEADER_LIST_SIZE,
        limits.headers().maxListBytes(),
        PeerSettings.MAX_FRAME_SIZE,
        limits.maxFrameBytes(),
        PeerSettings.HEADER_TABLE_SIZE,
        limits.headers().tableBytes());
    timers.onStart();
    int more = limits.windows().connectionBytes() - Limits.FIRST_WINDOW_BYTES;
    if (more > 0) {
      writer.windowUpdate(0, more);
    }
    inbound.onStart();
  }

  /**
   * Takes what arrived, as much as one pass of the event loop has time for: all that comes between
   * two calls of {@link #flush} is one pass. What is left in the buffer is to be brought again in a
   * later pass, ahead of what arrives until then, and not while {@link #isBlocked}.
   */
  public void receive(ByteBuffer in, long nowNanos) {
    this.nowNanos = nowNanos;
    timers.onRead();
    intake.onRead();
    reader.read(in);
    if (reader.isInsideFrame() || received.isBlockOpen()) {
      timers.onUnfinished();
    }
    if (failed) {
      in.position(in.limit());
    }
  }

  /**
   * Says that whoever drives this connection was stopped, and has read nothing meanwhile: what came
   * is still to be read. To be called before anything else that knows of the time behind the pause.
   *
   * @param pausedNanos how long, all pauses since the last call together: the peer has so much more
   *     time for what it owes
   * @param backlogNanos for how long what is read next may have waited; 0 if nothing has
   */
  public void onPause(long pausedNanos, long backlogNanos, long nowNanos) {
    timers.onPause(pausedNanos);
    pauses.onPause(backlogNanos, nowNanos);
  }

  /** Takes what is left when the way to the peer is gone: all of it, for nothing else will come. */
  public void receiveLast(ByteBuffer in, long nowNanos) {
    intake.onLast();
    receive(in, nowNanos);
  }

  /**
   * When {@link #onTime} is to be called, if nothing happens before; {@link Timeouts#NEVER} if not
   * at all. To be asked at the end of each batch, when the sink has let go what it can.
   */
  public long nextDueNanos(long nowNanos) {
    return failed ? Timeouts.NEVER : timers.nextDueNanos(nowNanos);
  }

  /** Does what is due: asks a silent peer for a sign of life, or ends with one that is too late. */
  public void onTime(long nowNanos) {
    if (!failed) {
      this.nowNanos = nowNanos;
      timers.onTime(nowNanos);
    }
  }

  /** Whether nothing is taken before the sink wants more: too many answers wait in it. */
  public boolean isBlocked() {
    return !failed && intake.isBlocked();
  }

  /**
   * Writes as much queued data as windows and the sink allow. To be called after each batch, with
   * which the peer's pass ends.
   */
  public void flush() {
    intake.endPass();
    if (!failed) {
      scheduler.write();
    }
  }

  /** Whether a stream may be opened now: ids are left and the peer takes one more. */
  public boolean canOpenStream() {
    return !failed
        && !peerGoesAway
        && !isExhausted()
        && streams.size() < peer.maxConcurrentStreams();
  }

  /** Whether this side has opened as many streams as it should: move to a new connection. */
  public boolean isRunningOut() {
    return isExhausted() || nextStreamId / 2 >= limits.streamsPerConnection();
  }

  /** Whether this side can open no stream any more. */
  public boolean isExhausted() {
    return nextStreamId < 0;
  }

  /**
   * Opens a stream with its request headers.
   *
   * @param shared fields that many requests have in common, the same object each time
   * @param own fields of this request
   */
  public Http2Stream openStream(HeaderList shared, HeaderList own, EndStream end) {
    Http2Stream stream = newStream(nextStreamId);
    if (failed) {
      moveTo(stream, StreamState.RESET_BY_PEER);
      return stream;
    }
    nextStreamId += 2;
    messages.onRequestSent(stream, shared, own);
    writeHeaders(stream, shared, own, end);
    return stream;
  }

  /**
   * Sends a header list that is not a stream's first from a client: response headers or, with the
   * end, trailers alone.
   */
  public void sendHeaders(Http2Stream stream, HeaderList shared, HeaderList own, EndStream end) {
    if (stream.state.isWritable() && !failed) {
      writeHeaders(stream, shared, own, end);
    }
  }

  /** Whether DATA could be written now, as far as the connection's window and the sink go. */
  public boolean canSend() {
    return !failed && scheduler.canSend();
  }

  /** Bytes of DATA that wait for a window or for the wire, on all streams. */
  public long queuedBytes() {
    return scheduler.queuedBytes();
  }

  /** Queues data behind what is queued already; the buffer belongs to the stream from here on. */
  public void sendData(Http2Stream stream, ByteBuffer data, EndStream end) {
    if (stream.state.isWritable()) {
      scheduler.queue(stream, data, end);
    }
  }

  /** Queues trailers behind all data; they end the stream. */
  public void sendTrailers(Http2Stream stream, HeaderList shared, HeaderList own) {
    if (stream.state.isWritable()) {
      stream.queueTrailers(shared, own);
      scheduler.schedule(stream);
    }
  }

  /**
   * Ends the stream from this side at once with a header list, in place of all that is queued: it
   * waits neither for a window nor for the wire. Where part of a queued buffer has been written,
   * nothing happens, for its rest would be missing.
   *
   * <p>The peer may be about to reset the stream itself, for the same reason. Where it has ended
   * its side, such a reset is no offence.
   *
   * @return whether the list was written
   */
  public boolean endNow(Http2Stream stream, HeaderList shared, HeaderList own) {
    if (!stream.state.isWritable() || failed || stream.isInsideBuffer()) {
      return false;
    }
    scheduler.dropOutput(stream);
    if (!stream.state.isReadable()) {
      resets.add(stream.id(), 0);
    }
    writeHeaders(stream, shared, own, EndStream.YES);
    return true;
  }

  /**
   * Ends the stream from this side at once. Its queued data is dropped; the peer's late frames are
   * ignored.
   */
  public void reset(Http2Stream stream, ErrorCode code) {
    if (!stream.isClosed() && !failed) {
      writer.rstStream(stream.id(), code);
      resets.add(stream.id(), stream.receiveWindow.left());
      moveTo(stream, StreamState.RESET_BY_US);
      countServersReply();
    }
  }

  /**
   * Gives bytes of a stream's data back: they were taken, so the peer may send as many again. They
   * may still be held; that is said by {@link #hold}.
   */
  public void consumed(Http2Stream stream, int bytes) {
    inbound.consumed(stream, bytes);
  }

  /**
   * Says that readers of this connection hold so many bytes more of what arrived than before, or
   * less. While they hold much, windows are small; a driver that never says so has no bound.
   */
  public void hold(int change) {
    inbound.hold(change);
  }

  /** Whether readers hold so much that all streams have to make do with small windows. */
  public boolean isCrowded() {
    return inbound.isCrowded();
  }

  /** Whether the connection's window would be open if so much less were held. */
  public boolean isWindowOpenBut(long heldBytes) {
    return inbound.isWindowOpenBut(heldBytes);
  }

  /** Whether readers may hold notably more before others have to wait for them. */
  public boolean hasRoom() {
    return inbound.hasRoom();
  }

  /** The window that streams have now, in bytes. */
  public int streamWindowBytes() {
    return inbound.streamWindowBytes();
  }

  /** Says whether the process is short of memory: then less may be held, and no window grows. */
  public void squeeze(boolean squeeze) {
    inbound.squeeze(squeeze);
  }

  /**
   * What just arrived, told by {@code onData}, completed something that its reader can use. Peers
   * who send crumbs that complete nothing are cut off.
   */
  public void onProgress() {
    progress = true;
  }

  /**
   * A call was served to its end: it makes up for one that was reset, or too large. Those that are
   * refused or fail do not, for they cost the peer nothing.
   */
  public void onServed() {
    ledger.payBack(Offence.RESET_STREAM);
    ledger.payBack(Offence.OVERSIZED_HEADERS);
  }

  /**
   * The peer has reset a stream as honest peers do: what it asked for had begun to come, or its
   * time was over. That is no way to have more done at a time than there are places for handlers.
   */
  public void onHonestReset() {
    ledger.payBack(Offence.RESET_STREAM);
  }

  /**
   * Whether a stream that was just reset may have lived so long before it was read, as this side
   * was stopped; counts it.
   */
  public boolean mayHaveLived(long nanos) {
    return pauses.spendLife(nanos, nowNanos);
  }

  /**
   * Frees the slot of a stream that the peer opened: whoever served it is done. Once per stream.
   */
  public void release(Http2Stream stream) {
    peerStreams.freeSlot();
  }

  /** Asks the peer for a sign of life; the answer is told to {@code onPingAck}. */
  public void ping(long opaque) {
    if (!failed) {
      timers.onPingSent();
      writer.ping(opaque);
    }
  }

  /**
   * Tells the peer that streams above the last one seen are not served any more, with an error or
   * without.
   *
   * @param debug words for whoever looks at the peer's log
   */
  public void goAway(ErrorCode code, String debug) {
    if (!failed) {
      writeGoAway(code, debug);
    }
  }

  private void writeGoAway(ErrorCode code, String debug) {
    writer.goAway(peerStreams.lastServedId(), code, debug);
  }

  /**
   * First half of a graceful end (RFC 9113 §6.8): says that a GOAWAY is near while streams on their
   * way are still served.
   */
  public void announceGoAway(String debug) {
    if (!failed && peerStreams.areAllServed()) {
      writer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, debug);
    }
  }

  /** How many streams live. */
  public int streamCount() {
    return streams.size();
  }

  /** How many of the peer's streams hold a slot, the ended ones that are still served included. */
  public int heldSlots() {
    return peerStreams.heldSlots();
  }

  /** The largest header list that the peer says it takes (advisory, RFC 9113 §6.5.2), in bytes. */
  public long peerMaxHeaderListBytes() {
    return peer.maxHeaderListBytes();
  }

  /** About how much memory the peer's header lists and torn frames take, in bytes. */
  public int keptBytes() {
    return received.keptBytes() + reader.keptBytes();
  }

  /** Shows all streams that live. */
  public void forEachStream(Consumer<Http2Stream> action) {
    streams.forEach(action);
  }

  /** Shows all streams that live. The action must neither open nor close any. */
  public void scanStreams(Consumer<Http2Stream> action) {
    streams.scan(action);
  }

  boolean isSettingsAcknowledged() {
    return settingsAcknowledged;
  }

  boolean hasFailed() {
    return failed;
  }

  boolean isPastPreface() {
    return reader.isPastPreface();
  }

  /** SETTINGS are acknowledged; false if all were. */
  boolean onSettingsAck() {
    if (!timers.onSettingsAck()) {
      return false;
    }
    settingsAcknowledged = true;
    inbound.onSettingsAck();
    return true;
  }

  /** The initial window of streams in the peer's direction, as its last SETTINGS say, in bytes. */
  public int peerInitialWindowBytes() {
    return peer.initialWindowBytes();
  }

  /** Applies what SETTINGS changed for streams and header compression. */
  void onPeerSettings(int windowChange) {
    encoder.setPeerTableBytes(peer.smallestHeaderTableBytes());
    encoder.setPeerTableBytes(peer.headerTableBytes());
    if (windowChange != 0) {
      intake.onWindows(streams.size());
      streams.forEach(stream -> changeWindow(stream, windowChange));
    }
    if (failed) {
      return;
    }
    writer.settingsAck();
    countReply();
    events.onSettings();
  }

  private void changeWindow(Http2Stream stream, int change) {
    if (stream.sendWindow.widen(change)) {
      scheduler.schedule(stream);
    } else {
      fail(
          new Violation.OfConnection(
              ErrorCode.FLOW_CONTROL_ERROR,
              "SETTINGS_INITIAL_WINDOW_SIZE overflows a stream's window"));
    }
  }

  /** No stream is opened behind a GOAWAY. */
  void onPeerGoesAway() {
    peerGoesAway = true;
  }

  /** Widens a send window by WINDOW_UPDATE; false if it overflows. */
  boolean widen(@Nullable Http2Stream stream, int increment) {
    if (stream == null) {
      return scheduler.widenConnection(increment);
    }
    boolean fits = stream.sendWindow.widen(increment);
    scheduler.schedule(stream);
    return fits;
  }

  /** A new stream of the peer's, or an empty answer where there is no place for one. */
  @Nullable Http2Stream acceptStream(int streamId) {
    if (!peerStreams.admit(streamId, streams.size())) {
      return null;
    }
    intake.onNewStream();
    return newStream(streamId);
  }

  private Http2Stream newStream(int streamId) {
    Http2Stream stream =
        new Http2Stream(
            streamId, new SendWindow(peer.initialWindowBytes()), inbound.newStreamWindow());
    streams.add(stream);
    updates.onStream();
    resetsToCome.earn();
    return stream;
  }

  /** Writes RST_STREAM for a stream that never got a place. */
  void refuse(int streamId, ErrorCode code) {
    resetsToCome.earn();
    int windowBytes = inbound.initial().bytesInForce();
    writer.rstStream(streamId, code);
    if (settingsAcknowledged) {
      resets.add(streamId, windowBytes);
    } else {
      resets.addEarly(streamId, windowBytes);
    }
    countServersReply();
  }

  void answerPing(long opaque) {
    writer.pingAck(opaque);
    countReply();
  }

  /**
   * A client that cancels much must go on reading, or it and a server with as many answers could
   * wait for each other.
   */
  private void countServersReply() {
    if (role == Role.SERVER) {
      countReply();
    }
  }

  private void countReply() {
    if (!intake.onReply()) {
      fail(
          new Violation.OfConnection(
              ErrorCode.ENHANCE_YOUR_CALM, "too many answers were left unread"));
    }
  }

  void moveTo(Http2Stream stream, StreamState next) {
    stream.state = next;
    if (next.isClosed()) {
      scheduler.close(stream);
      streams.remove(stream);
    }
  }

  void fail(Violation violation) {
    if (!failed) {
      writeGoAway(violation.code(), violation.detail());
      failed = true;
      streams.forEach(scheduler::dropOutput);
      events.onFailed(violation);
    }
  }

  int lastOwnStreamId() {
    return nextStreamId - 2;
  }

  void writeHeaders(Http2Stream stream, HeaderList shared, HeaderList own, EndStream end) {
    timers.onStreamFrameSent();
    block.clear();
    encoder.begin(block);
    encoder.encode(shared, block);
    encoder.encode(own, block);
    writer.headers(
        stream.id(), block.array(), block.length(), Limits.SMALLEST_MAX_FRAME_BYTES, end);
    if (end == EndStream.YES) {
      onEndWritten(stream);
    } else {
      moveTo(stream, stream.state.afterSending(end));
    }
    countServersReply();
  }

  void onEndWritten(Http2Stream stream) {
    moveTo(stream, stream.state.afterSending(EndStream.YES));
    events.onEndSent(stream);
  }
}
