package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Offence;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.frame.FrameReader;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.stream.SharedWindow;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One end of an HTTP/2 connection (RFC 9113), client or server, as pure state.
 *
 * <p>Contract: {@link #start} once, then in any order {@link #receive} with what came from the peer
 * and the {@code send…} methods with what is to go there; after each batch of these {@link #flush}.
 * Frames are written into the {@link ByteSink}, events are told to the {@link ConnectionListener}
 * from inside these methods. Control frames and headers are written at once, data at the flush.
 * Once a violation was told to {@code onFailed}, nothing is read or written any more. Confined to
 * one thread; knows no clock: whoever calls brings the time, in nanoseconds of any steady origin.
 */
public final class Http2Connection {
  private final ConnectionContext context;
  private final PeerSettings peer;
  private final Intake intake;
  private final PauseCredit pauses;
  private final AbuseLedger ledger;
  private final Streams streams;
  private final Outbound outbound;
  private final ConnectionTimers timers;
  private final InboundFlow inbound;
  private final SharedWindow arriving;
  private final ReceivedHeaders headers;
  private final ReceivedData data;
  private final FrameReader reader;

  /**
   * An end that has said nothing yet.
   *
   * @param nowNanos when the way to the peer was opened: its handshake counts from here
   */
  public Http2Connection(
      Role role, Limits limits, ByteSink sink, ConnectionListener events, long nowNanos) {
    context =
        new ConnectionContext(
            role, limits, events, sink, new FrameWriter(sink), new LatestTime(nowNanos));
    peer = new PeerSettings(role);
    intake = new Intake(limits, sink);
    pauses = new PauseCredit(limits.maxConcurrentStreams());
    ledger = new AbuseLedger(limits, pauses);
    PeerCredit credit = PeerCredit.of(role, limits);
    PingTolerance pings = new PingTolerance(limits.timeouts().pings(), ledger, pauses);
    InitialWindow initialWindow = new InitialWindow();
    WindowLimits windows = limits.windows();
    arriving = new SharedWindow(windows.connectionBytes(), windows.heldBytes());
    streams = new Streams(context, peer, initialWindow, credit);
    outbound = new Outbound(context, streams, peer, intake, credit, pings);
    timers = new ConnectionTimers(context, streams, outbound, intake, pings, arriving);
    inbound = new InboundFlow(context, streams, outbound, timers, arriving, initialWindow);
    StreamErrors errors = new StreamErrors(context, streams, outbound, credit, ledger);
    ReceivedMessages messages = new ReceivedMessages(role);
    headers = new ReceivedHeaders(context, streams, outbound, errors, messages, intake);
    data = new ReceivedData(context, streams, outbound, errors, messages, inbound);
    ReceivedFrames received =
        new ReceivedFrames(
            outbound,
            intake,
            timers,
            headers,
            data,
            new ReceivedStreamFrames(context, streams, outbound, errors, credit),
            new ReceivedControl(context, streams, outbound, errors, timers, inbound));
    reader = new FrameReader(role, limits.maxFrameBytes(), received);
  }

  /**
   * Writes what this side says first: the preface (client) and SETTINGS, and opens the connection's
   * window.
   */
  public void start() {
    boolean client = context.isClient();
    Limits limits = context.limits();
    FrameWriter writer = context.writer();
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
    context.time().set(nowNanos);
    timers.onRead();
    intake.onRead();
    reader.read(in);
    if (reader.isInsideFrame() || headers.isBlockOpen()) {
      timers.onUnfinished();
    }
    if (outbound.hasFailed()) {
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
    return outbound.hasFailed() ? Timeouts.NEVER : timers.nextDueNanos(nowNanos);
  }

  /** Does what is due: asks a silent peer for a sign of life, or ends with one that is too late. */
  public void onTime(long nowNanos) {
    if (!outbound.hasFailed()) {
      context.time().set(nowNanos);
      timers.onTime(nowNanos);
    }
  }

  /** Whether nothing is taken before the sink wants more: too many answers wait in it. */
  public boolean isBlocked() {
    return !outbound.hasFailed() && intake.isBlocked();
  }

  /**
   * Writes as much queued data as windows and the sink allow. To be called after each batch, with
   * which the peer's pass ends.
   */
  public void flush() {
    intake.endPass();
    outbound.flush();
  }

  /** Whether a stream may be opened now: ids are left and the peer takes one more. */
  public boolean canOpenStream() {
    return !outbound.hasFailed() && streams.canOpen();
  }

  /** Whether this side has opened as many streams as it should: move to a new connection. */
  public boolean isRunningOut() {
    return streams.isRunningOut();
  }

  /** Whether this side can open no stream any more. */
  public boolean isExhausted() {
    return streams.isExhausted();
  }

  /**
   * Opens a stream with its request headers.
   *
   * @param shared fields that many requests have in common, the same object each time
   * @param own fields of this request
   */
  public Http2Stream openStream(HeaderList shared, HeaderList own, EndStream end) {
    if (outbound.hasFailed()) {
      return streams.openInVain();
    }
    Http2Stream stream = streams.open();
    ReceivedMessages.onRequestSent(stream, shared, own);
    outbound.writeHeaders(stream, shared, own, end);
    return stream;
  }

  /**
   * Sends a header list that is not a stream's first from a client: response headers or, with the
   * end, trailers alone.
   */
  public void sendHeaders(Http2Stream stream, HeaderList shared, HeaderList own, EndStream end) {
    if (stream.state.isWritable() && !outbound.hasFailed()) {
      outbound.writeHeaders(stream, shared, own, end);
    }
  }

  /** Whether DATA could be written now, as far as the connection's window and the sink go. */
  public boolean canSend() {
    return outbound.canSend();
  }

  /** Bytes of DATA that wait for a window or for the wire, on all streams. */
  public long queuedBytes() {
    return outbound.queuedBytes();
  }

  /** Queues data behind what is queued already; the buffer belongs to the stream from here on. */
  public void sendData(Http2Stream stream, ByteBuffer data, EndStream end) {
    outbound.queue(stream, data, end);
  }

  /** Queues trailers behind all data; they end the stream. */
  public void sendTrailers(Http2Stream stream, HeaderList shared, HeaderList own) {
    outbound.queueTrailers(stream, shared, own);
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
    return outbound.endNow(stream, shared, own);
  }

  /**
   * Ends the stream from this side at once. Its queued data is dropped; the peer's late frames are
   * ignored.
   */
  public void reset(Http2Stream stream, ErrorCode code) {
    outbound.reset(stream, code);
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
    data.onProgress();
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
    return pauses.spendLife(nanos, context.nowNanos());
  }

  /**
   * Frees the slot of a stream that the peer opened: whoever served it is done. Once per stream.
   */
  public void release(Http2Stream stream) {
    streams.release();
  }

  /** Asks the peer for a sign of life; the answer is told to {@code onPingAck}. */
  public void ping(long opaque) {
    timers.ping(opaque);
  }

  /**
   * Tells the peer that streams above the last one seen are not served any more, with an error or
   * without.
   *
   * @param debug words for whoever looks at the peer's log
   */
  public void goAway(ErrorCode code, String debug) {
    outbound.goAway(code, debug);
  }

  /**
   * First half of a graceful end (RFC 9113 §6.8): says that a GOAWAY is near while streams on their
   * way are still served.
   */
  public void announceGoAway(String debug) {
    outbound.announceGoAway(debug);
  }

  /** How many streams live. */
  public int streamCount() {
    return streams.count();
  }

  /** How many of the peer's streams hold a slot, the ended ones that are still served included. */
  public int heldSlots() {
    return streams.heldSlots();
  }

  /** The largest header list that the peer says it takes (advisory, RFC 9113 §6.5.2), in bytes. */
  public long peerMaxHeaderListBytes() {
    return peer.maxHeaderListBytes();
  }

  /** How many streams of this side the peer takes at a time; {@code Long.MAX_VALUE} for any. */
  public long peerMaxConcurrentStreams() {
    return peer.maxConcurrentStreams();
  }

  /** About how much memory the peer's header lists and torn frames take, in bytes. */
  public int keptBytes() {
    return headers.keptBytes() + reader.keptBytes();
  }

  /** Shows all streams that live. */
  public void forEachStream(Consumer<Http2Stream> action) {
    streams.forEach(action);
  }

  /** Shows all streams that live. The action must neither open nor close any. */
  public void scanStreams(Consumer<Http2Stream> action) {
    streams.scan(action);
  }

  /** The initial window of streams in the peer's direction, as its last SETTINGS say, in bytes. */
  public int peerInitialWindowBytes() {
    return peer.initialWindowBytes();
  }

  /** The window for all DATA that comes: simulations check its invariant. */
  SharedWindow arriving() {
    return arriving;
  }

  /** Leaves ids out: a test of the last ones would have to open a billion streams. */
  void skipStreamsBelow(int nextStreamId) {
    streams.skipBelow(nextStreamId);
  }

  boolean isPastPreface() {
    return reader.isPastPreface();
  }
}
