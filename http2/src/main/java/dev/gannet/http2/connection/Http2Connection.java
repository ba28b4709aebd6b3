package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
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
 * One end of an HTTP/2 connection (RFC 9113), client or server, as a state machine without I/O.
 *
 * <p>Contract: call {@link #start} once, then in any order {@link #receive} with bytes from the
 * peer and the {@code send…} methods with what is to be sent; after each batch of these calls, call
 * {@link #flush}. Frames are written into the {@link ByteSink}; the {@link ConnectionListener} is
 * called from inside these methods. Control frames and headers are written at once, data at the
 * flush. After a violation was passed to {@code onFailed}, nothing is read or written any more.
 * Confined to one thread; it has no clock: callers pass the time, in nanoseconds from any fixed
 * origin.
 */
public final class Http2Connection {
  private final ConnectionEnvironment environment;
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
   * One end that has sent nothing yet.
   *
   * @param nowNanos when the connection to the peer was established: the handshake timeout starts
   *     here
   */
  public Http2Connection(
      Role role, Limits limits, ByteSink sink, ConnectionListener events, long nowNanos) {
    environment =
        new ConnectionEnvironment(
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
    streams = new Streams(environment, peer, initialWindow, credit);
    outbound = new Outbound(environment, streams, peer, intake, credit, pings);
    timers = new ConnectionTimers(environment, streams, outbound, intake, pings, arriving);
    inbound = new InboundFlow(environment, streams, outbound, timers, arriving, initialWindow);
    StreamErrors errors = new StreamErrors(environment, streams, outbound, credit, ledger);
    ReceivedMessages messages = new ReceivedMessages(role);
    headers = new ReceivedHeaders(environment, streams, outbound, errors, messages, intake);
    data = new ReceivedData(environment, streams, outbound, errors, messages, inbound);
    ReceivedFrames received =
        new ReceivedFrames(
            outbound,
            intake,
            timers,
            headers,
            data,
            new ReceivedStreamFrames(environment, streams, outbound, errors, credit),
            new ReceivedControl(environment, streams, outbound, errors, timers, inbound));
    reader = new FrameReader(role, limits.maxFrameBytes(), received);
  }

  /**
   * Writes what this side sends first: the preface (client) and SETTINGS, and opens the
   * connection's window.
   */
  public void start() {
    boolean client = environment.isClient();
    Limits limits = environment.limits();
    FrameWriter writer = environment.writer();
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
    int more = limits.windows().connectionBytes() - Limits.INITIAL_WINDOW_BYTES;
    if (more > 0) {
      writer.windowUpdate(0, more);
    }
    inbound.onStart();
  }

  /**
   * Parses what arrived, as much as one pass of the event loop allows: everything between two calls
   * of {@link #flush} is one pass. What is left in the buffer must be passed again in a later pass,
   * or in this one after {@link #tryExtendPass}, before bytes that arrive until then, and not while
   * {@link #checkBlocked} returns true.
   */
  public void receive(ByteBuffer in, long nowNanos) {
    environment.time().set(nowNanos);
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
   * Lets this pass parse more frames, because it was short; false if it has parsed as much as a
   * pass may.
   */
  public boolean tryExtendPass() {
    return intake.tryExtendPass();
  }

  /**
   * Reports that the driver of this connection was paused and has read nothing meanwhile: what
   * arrived is still to be read. Must be called before any other method that is passed a time after
   * the pause.
   *
   * @param pausedNanos the duration of all pauses since the last call: the peer's timeouts are
   *     extended by it
   * @param backlogNanos how long the bytes that are read next may have waited; 0 if none have
   */
  public void onPause(long pausedNanos, long backlogNanos, long nowNanos) {
    timers.onPause(pausedNanos);
    pauses.onPause(backlogNanos, nowNanos);
  }

  /**
   * Parses what is left when the connection to the peer is closed: all of it, because nothing else
   * will arrive.
   */
  public void receiveLast(ByteBuffer in, long nowNanos) {
    intake.onLast();
    receive(in, nowNanos);
  }

  /**
   * When {@link #onTime} must be called if nothing happens before; {@link Timeouts#NEVER} if not at
   * all. Must be asked at the end of each batch, after the sink has sent what it can.
   */
  public long nextDueNanos(long nowNanos) {
    return outbound.hasFailed() ? Timeouts.NEVER : timers.nextDueNanos(nowNanos);
  }

  /**
   * Does what is due: sends a PING to a silent peer, or closes the connection of one that is too
   * late.
   */
  public void onTime(long nowNanos) {
    if (!outbound.hasFailed()) {
      environment.time().set(nowNanos);
      timers.onTime(nowNanos);
    }
  }

  /**
   * Returns whether nothing is parsed until the sink wants more, because too many answers wait in
   * it. If it wants more already, the answers are forgotten.
   */
  public boolean checkBlocked() {
    return !outbound.hasFailed() && intake.checkBlocked();
  }

  /**
   * Writes as much queued data as windows and the sink allow. Must be called after each batch; this
   * ends the peer's pass.
   */
  public void flush() {
    intake.endPass();
    outbound.flush();
  }

  /**
   * Whether a stream may be opened now: stream ids are left and the peer's limit allows one more.
   */
  public boolean canOpenStream() {
    return !outbound.hasFailed() && streams.canOpen();
  }

  /** Whether this side has opened as many streams as it should: use a new connection. */
  public boolean isRunningOut() {
    return streams.isRunningOut();
  }

  /** Whether this side can open no more streams. */
  public boolean isExhausted() {
    return streams.isExhausted();
  }

  /**
   * Opens a stream with its request headers.
   *
   * @param shared fields that many requests have in common, always the same object
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
   * Sends a header list other than a client's first on a stream: response headers or, with the end,
   * a trailers-only response.
   */
  public void sendHeaders(Http2Stream stream, HeaderList shared, HeaderList own, EndStream end) {
    if (stream.state.isWritable() && !outbound.hasFailed()) {
      outbound.writeHeaders(stream, shared, own, end);
    }
  }

  /** Whether DATA could be written now, as far as the connection's window and the sink allow. */
  public boolean canSend() {
    return outbound.canSend();
  }

  /** Bytes of DATA that wait for a window or for the sink, on all streams. */
  public long queuedBytes() {
    return outbound.queuedBytes();
  }

  /** Queues data after what is queued already; the buffer belongs to the stream from now on. */
  public void sendData(Http2Stream stream, ByteBuffer data, EndStream end) {
    outbound.queue(stream, data, end);
  }

  /** Queues trailers after all data; they end the stream. */
  public void sendTrailers(Http2Stream stream, HeaderList shared, HeaderList own) {
    outbound.queueTrailers(stream, shared, own);
  }

  /**
   * Ends the stream from this side at once with a header list, in place of all that is queued: it
   * waits neither for a window nor for the sink. If part of a queued buffer has been written,
   * nothing happens, because the rest would be missing.
   *
   * <p>The peer may be about to reset the stream itself, for the same reason. If the peer has ended
   * its side, such a reset is no offence.
   *
   * @return whether the list was written
   */
  public boolean endNow(Http2Stream stream, HeaderList shared, HeaderList own) {
    return outbound.endNow(stream, shared, own);
  }

  /**
   * Ends the stream from this side at once. Its queued data is dropped; frames that the peer has
   * already sent are ignored.
   */
  public void reset(Http2Stream stream, ErrorCode code) {
    outbound.reset(stream, code);
  }

  /**
   * Gives bytes of a stream's window back: they were taken, so the peer may send as many again.
   * They may still be held; that is reported by {@link #hold}.
   */
  public void consumed(Http2Stream stream, int bytes) {
    inbound.consumed(stream, bytes);
  }

  /**
   * Reports that readers of this connection hold this many received bytes more than before (or
   * less, if negative). While they hold much, windows are small; a driver that never reports has no
   * limit.
   */
  public void hold(int change) {
    inbound.hold(change);
  }

  /** Whether readers hold so much that all streams get only small windows. */
  public boolean isCrowded() {
    return inbound.isCrowded();
  }

  /** Whether the connection's window would be open if this many bytes less were held. */
  public boolean isWindowOpenBut(long heldBytes) {
    return inbound.isWindowOpenBut(heldBytes);
  }

  /** Whether the connection's window would have its full size if this many bytes less were held. */
  public boolean isWindowWholeBut(long heldBytes) {
    return inbound.isWindowWholeBut(heldBytes);
  }

  /** Whether readers may hold notably more before others have to wait for them. */
  public boolean canHoldMore() {
    return inbound.canHoldMore();
  }

  /** The present window of streams, in bytes. */
  public int streamWindowBytes() {
    return inbound.streamWindowBytes();
  }

  /** Sets whether the process is short of memory: then less may be held, and no window grows. */
  public void squeeze(boolean squeeze) {
    inbound.squeeze(squeeze);
  }

  /**
   * What {@code onData} just reported completed something that its reader can use. Peers that keep
   * sending tiny frames that complete nothing lose their connection.
   */
  public void onProgress() {
    data.onProgress();
  }

  /**
   * A call was served to its end: it makes up for one that was reset or too large. Calls that are
   * refused or fail do not, because they cost the peer nothing.
   */
  public void onServed() {
    ledger.payBack(AbuseKind.RESET_STREAM);
    ledger.payBack(AbuseKind.OVERSIZED_HEADERS);
  }

  /**
   * The peer has reset a stream as honest peers do: the response had begun to arrive, or its time
   * was over. A peer cannot use that to cause more work at a time than the limit of concurrent
   * handlers allows.
   */
  public void onHonestReset() {
    ledger.payBack(AbuseKind.RESET_STREAM);
  }

  /**
   * A stream was just reset: spends that much of the last pause on it, if it may have lived that
   * long before it was read. Returns false if it may not.
   */
  public boolean trySpendPause(long nanos) {
    return pauses.spendLife(nanos, environment.nowNanos());
  }

  /** Frees the slot of a stream that the peer opened: its handler has finished. Once per stream. */
  public void release(Http2Stream stream) {
    streams.release();
  }

  /** Sends a PING; the answer is reported by {@code onPingAck}. */
  public void ping(long opaque) {
    timers.ping(opaque);
  }

  /**
   * Tells the peer that streams above the last one seen are not served any more, with or without an
   * error.
   *
   * @param debug a text for the peer's log
   */
  public void goAway(ErrorCode code, String debug) {
    outbound.goAway(code, debug);
  }

  /**
   * First half of a graceful shutdown (RFC 9113 §6.8): announces that a GOAWAY will follow while
   * streams on their way are still served.
   */
  public void announceGoAway(String debug) {
    outbound.announceGoAway(debug);
  }

  /** How many streams are open. */
  public int streamCount() {
    return streams.count();
  }

  /** How many of the peer's streams hold a slot, including ended ones whose handlers still run. */
  public int heldSlots() {
    return streams.heldSlots();
  }

  /**
   * The largest header list that the peer says it accepts (advisory, RFC 9113 §6.5.2), in bytes.
   */
  public long peerMaxHeaderListBytes() {
    return peer.maxHeaderListBytes();
  }

  /**
   * How many concurrent streams of this side the peer allows; {@code Long.MAX_VALUE} for no limit.
   */
  public long peerMaxConcurrentStreams() {
    return peer.maxConcurrentStreams();
  }

  /** Approximately how much memory the peer's header lists and incomplete frames take, in bytes. */
  public int keptBytes() {
    return headers.keptBytes() + reader.keptBytes();
  }

  /** Passes all open streams to the action. */
  public void forEachStream(Consumer<Http2Stream> action) {
    streams.forEach(action);
  }

  /** Passes all open streams to the action, which must neither open nor close any. */
  public void scanStreams(Consumer<Http2Stream> action) {
    streams.scan(action);
  }

  /** The initial window for streams towards the peer, as its last SETTINGS set it, in bytes. */
  public int peerInitialWindowBytes() {
    return peer.initialWindowBytes();
  }

  /** For tests: the receive window of all DATA, whose invariant simulations check. */
  SharedWindow arriving() {
    return arriving;
  }

  /** For tests of the last stream ids, which would otherwise have to open a billion streams. */
  void skipStreamsBelow(int nextStreamId) {
    streams.skipBelow(nextStreamId);
  }

  /** For tests: whether the client's preface was read. */
  boolean isPastPreface() {
    return reader.isPastPreface();
  }
}
