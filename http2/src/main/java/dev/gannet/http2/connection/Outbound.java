package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Excess;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Violation;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this side sends on its streams: headers at once, DATA in turns, resets and answers, and how
 * these change the streams. After {@link #fail} nothing is sent any more.
 */
final class Outbound implements DataScheduler.Output {
  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final PeerSettings peer;
  private final Intake intake;
  private final PeerCredit credit;
  private final PingTolerance pings;
  private final DataScheduler scheduler;
  private final HpackEncoder encoder;
  private final HeaderBlock block = new HeaderBlock();
  private boolean failed;

  Outbound(
      ConnectionEnvironment environment,
      Streams streams,
      PeerSettings peer,
      Intake intake,
      PeerCredit credit,
      PingTolerance pings) {
    this.environment = environment;
    this.streams = streams;
    this.peer = peer;
    this.intake = intake;
    this.credit = credit;
    this.pings = pings;
    this.scheduler = new DataScheduler(environment.writer(), environment.sink(), this);
    this.encoder = new HpackEncoder(environment.limits().headers().tableBytes());
  }

  /** Whether a violation has ended the connection. */
  boolean hasFailed() {
    return failed;
  }

  /** Ends the connection, with a GOAWAY that contains the reason. */
  void fail(Violation violation) {
    if (!failed) {
      goAway(violation.code(), violation.detail());
      failed = true;
      streams.forEach(scheduler::dropOutput);
      environment.events().onFailed(violation);
    }
  }

  /** Tells the peer that streams above the last one seen are not served any more. */
  void goAway(ErrorCode code, String debug) {
    if (!failed) {
      environment.writer().goAway(streams.lastServedId(), code, debug);
    }
  }

  /** Tells the peer that a GOAWAY will follow, while streams on their way are still served. */
  void announceGoAway(String debug) {
    if (!failed && streams.areAllServed()) {
      environment.writer().goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, debug);
    }
  }

  /** Writes a header list. If it ends the stream, nothing may be queued on the stream. */
  void writeHeaders(Http2Stream stream, HeaderList shared, HeaderList own, EndStream end) {
    pings.onStreamFrameSent();
    block.clear();
    encoder.begin(block);
    encoder.encode(shared, block);
    encoder.encode(own, block);
    environment
        .writer()
        .headers(stream.id(), block.array(), block.length(), Limits.SMALLEST_MAX_FRAME_BYTES, end);
    if (end == EndStream.YES) {
      onEndWritten(stream);
    } else {
      move(stream, stream.state.afterSending(end));
    }
    countServersReply();
  }

  /** Queues data after what is queued already. */
  void queue(Http2Stream stream, ByteBuffer data, EndStream end) {
    if (stream.state.isWritable()) {
      scheduler.queue(stream, data, end);
    }
  }

  /** Queues trailers after all data. */
  void queueTrailers(Http2Stream stream, HeaderList shared, HeaderList own) {
    if (stream.state.isWritable()) {
      stream.queueTrailers(shared, own);
      scheduler.schedule(stream);
    }
  }

  /**
   * Ends the stream with a header list, in place of what is queued; false if that is not possible.
   */
  boolean endNow(Http2Stream stream, HeaderList shared, HeaderList own) {
    if (!stream.state.isWritable() || failed || stream.isInsideBuffer()) {
      return false;
    }
    scheduler.dropOutput(stream);
    if (!stream.state.isReadable()) {
      credit.lateFrames().add(stream.id(), 0);
    }
    writeHeaders(stream, shared, own, EndStream.YES);
    return true;
  }

  /** Ends the stream from this side at once. */
  void reset(Http2Stream stream, ErrorCode code) {
    if (!stream.isClosed() && !failed) {
      environment.writer().rstStream(stream.id(), code);
      credit.lateFrames().add(stream.id(), stream.receiveWindow.left());
      move(stream, StreamState.RESET_BY_US);
      countServersReply();
    }
  }

  /** Writes RST_STREAM for a stream that was never added to the table. */
  void refuse(int streamId, ErrorCode code) {
    credit.resets().earn();
    int windowBytes = streams.receiveWindowBytes();
    environment.writer().rstStream(streamId, code);
    if (streams.areSettingsKnown()) {
      credit.lateFrames().add(streamId, windowBytes);
    } else {
      credit.lateFrames().addEarly(streamId, windowBytes);
    }
    countServersReply();
  }

  void answerPing(long opaque) {
    environment.writer().pingAck(opaque);
    countReply();
  }

  /** Applies SETTINGS of the peer to streams and compression, and acknowledges them. */
  void applySettings(ByteBuffer payload) {
    int windowBefore = peer.initialWindowBytes();
    Optional<Violation> violation = peer.apply(payload);
    violation.ifPresent(this::fail);
    if (violation.isEmpty()) {
      onPeerSettings(peer.initialWindowBytes() - windowBefore);
    }
  }

  private void onPeerSettings(int windowChange) {
    encoder.setPeerTableBytes(peer.smallestHeaderTableBytes());
    encoder.setPeerTableBytes(peer.headerTableBytes());
    if (windowChange != 0) {
      intake.onWindows(streams.count());
      streams.forEach(stream -> changeWindow(stream, windowChange));
    }
    if (failed) {
      return;
    }
    environment.writer().settingsAck();
    countReply();
    environment.events().onSettings();
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

  /**
   * Widens a send window by WINDOW_UPDATE; false if it overflows.
   *
   * @param stream null for the connection's window
   */
  boolean widen(@Nullable Http2Stream stream, int increment) {
    if (stream == null) {
      return scheduler.widenConnection(increment);
    }
    boolean fits = stream.sendWindow.widen(increment);
    scheduler.schedule(stream);
    return fits;
  }

  /** Changes the state of a stream; what a closed one has queued is dropped. */
  void move(Http2Stream stream, StreamState next) {
    streams.move(stream, next);
    if (next.isClosed()) {
      scheduler.close(stream);
    }
  }

  /** Writes as much queued data as windows and the sink allow. */
  void flush() {
    if (!failed) {
      scheduler.write();
    }
  }

  /** Whether DATA could be written now, as far as the connection's window and the sink allow. */
  boolean canSend() {
    return !failed && scheduler.canSend();
  }

  /** Bytes of DATA that wait on all streams. */
  long queuedBytes() {
    return scheduler.queuedBytes();
  }

  @Override
  public void onDataWritten(Http2Stream stream, int bytes, EndStream end) {
    pings.onStreamFrameSent();
    if (environment.isClient()) {
      credit.resets().earn();
    }
    credit.updates().onData(bytes, stream.queuedBytes());
    if (bytes > 0) {
      environment.events().onDataSent(stream, bytes);
    }
    if (end == EndStream.YES) {
      onEndWritten(stream);
    }
  }

  @Override
  public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {
    environment.events().onBufferEmpty(stream, data);
  }

  @Override
  public void writeTrailers(Http2Stream stream) {
    HeaderList shared = stream.sharedTrailers();
    HeaderList own = stream.ownTrailers();
    scheduler.dropOutput(stream);
    writeHeaders(stream, shared, own, EndStream.YES);
  }

  private void onEndWritten(Http2Stream stream) {
    move(stream, stream.state.afterSending(EndStream.YES));
    environment.events().onEndSent(stream);
  }

  /**
   * A client that cancels many calls must continue to read; otherwise it and a server with as many
   * answers could wait for each other.
   */
  private void countServersReply() {
    if (environment.isServer()) {
      countReply();
    }
  }

  private void countReply() {
    if (!intake.onReply()) {
      fail(
          new Violation.OverLimit(
              Excess.UNREAD_REPLIES,
              intake.mostReplies() + " replies were left unread (withMaxUnreadReplies)"));
    }
  }
}
