package dev.gannet.http2.connection;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Offence;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHandler;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each frame from the peer does to the connection (RFC 9113 §6). Header blocks and DATA have
 * rooms of their own.
 */
final class ReceivedFrames implements FrameHandler {
  private static final String TOO_MANY_PINGS = "too_many_pings"; // gRFC A8 wants these very words
  private static final int PING_BYTES = 8;
  private static final int PRIORITY_BYTES = 5;
  private static final int LONGEST_DEBUG_BYTES = 256;

  private final Http2Connection connection;
  private final ReceivedHeaders headers;
  private final ReceivedData data;
  private boolean settingsSeen;

  ReceivedFrames(Http2Connection connection) {
    this.connection = connection;
    this.headers = new ReceivedHeaders(connection);
    this.data = new ReceivedData(connection);
  }

  /** About how much memory header blocks and lists take, in bytes. */
  int keptBytes() {
    return headers.keptBytes();
  }

  boolean isBlockOpen() {
    return headers.isBlockOpen();
  }

  @Override
  public void onFrame(FrameHeader header, ByteBuffer payload) {
    connection.intake.onFrame();
    if (!settingsSeen && header.type() != FrameType.SETTINGS) {
      fail(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
      return;
    }
    if (headers.isBlockOpen() && header.type() != FrameType.CONTINUATION) {
      fail(ErrorCode.PROTOCOL_ERROR, "another frame came inside a header block");
      return;
    }
    apply(header, payload);
    if (!headers.isBlockOpen()) {
      connection.timers.onFrameEnd();
    }
  }

  private void apply(FrameHeader header, ByteBuffer payload) {
    switch (header.type()) {
      case FrameType.HEADERS -> {
        connection.intake.onBlock(payload.remaining());
        headers.onHeaders(header, payload);
      }
      case FrameType.CONTINUATION -> {
        connection.intake.onBlock(payload.remaining());
        headers.onContinuation(header, payload);
      }
      case FrameType.PRIORITY -> onPriority(header, payload);
      case FrameType.RST_STREAM -> onRstStream(header, payload);
      case FrameType.SETTINGS -> onSettings(header, payload);
      case FrameType.PUSH_PROMISE ->
          fail(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE came although push is off");
      case FrameType.PING -> onPing(header, payload);
      case FrameType.GOAWAY -> onGoAway(header, payload);
      case FrameType.WINDOW_UPDATE -> onWindowUpdate(header, payload);
      default -> charge(Offence.WITHOUT_EFFECT); // to be ignored, RFC 9113 §4.1
    }
  }

  @Override
  public void onDataHeader(FrameHeader header) {
    connection.intake.onData(header.payloadBytes());
    connection.timers.onFrameEnd();
    if (!settingsSeen) {
      fail(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
    } else if (headers.isBlockOpen()) {
      fail(ErrorCode.PROTOCOL_ERROR, "another frame came inside a header block");
    } else {
      data.begin(header);
    }
  }

  @Override
  public void onDataBytes(ByteBuffer piece) {
    data.piece(piece);
  }

  @Override
  public void onDataEnd() {
    if (!connection.hasFailed()) {
      data.end();
    }
  }

  @Override
  public void onBroken(Violation violation) {
    connection.fail(violation);
  }

  @Override
  public boolean wantsFrames() {
    return !connection.hasFailed() && connection.intake.isOpen();
  }

  private void onPriority(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "PRIORITY on stream 0");
    } else if (payload.remaining() != PRIORITY_BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "PRIORITY is not 5 octets long");
    } else {
      charge(Offence.PRIORITY);
    }
  }

  private void onRstStream(FrameHeader header, ByteBuffer payload) {
    int id = header.streamId();
    if (id == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "RST_STREAM on stream 0");
    } else if (payload.remaining() != Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "RST_STREAM is not 4 octets long");
    } else if (isIdle(id)) {
      fail(ErrorCode.PROTOCOL_ERROR, "RST_STREAM on an idle stream");
    } else if (connection.role == Role.SERVER) {
      onResetOfClient(id, ErrorCode.of(payload.getInt()));
    } else if (connection.resetsToCome.spend() || charge(Offence.LATE_FRAME)) {
      connection.resets.remove(id); // a server's are free as far as our frames account for them
      reset(connection.streams.find(id), ErrorCode.of(payload.getInt()));
    }
  }

  /**
   * What a client takes back costs us work. On a stream that is gone there is none to be taken
   * back: the reset crossed our answer, or a reset of ours, which was counted if it should be. Once
   * for each stream, however many have piled up: each of them has cost the client a call.
   */
  private void onResetOfClient(int streamId, ErrorCode code) {
    Http2Stream stream = connection.streams.find(streamId);
    boolean earned = connection.resetsToCome.spend();
    if (stream != null) {
      if (charge(Offence.RESET_STREAM)) {
        reset(stream, code);
      }
    } else if (!connection.resets.remove(streamId) && !earned) {
      charge(Offence.WITHOUT_EFFECT);
    }
  }

  private void reset(@Nullable Http2Stream stream, ErrorCode code) {
    if (stream != null && stream.state.onReset() instanceof StreamState.Step.To(var next)) {
      connection.moveTo(stream, next);
      connection.events.onReset(stream, code);
    }
  }

  private void onSettings(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "SETTINGS on a stream");
    } else if (header.has(Flags.ACK)) {
      onSettingsAck(payload);
    } else if (charge(Offence.SETTINGS)) {
      settingsSeen = true;
      connection.timers.onPeerSettings();
      int before = connection.peer.initialWindowBytes();
      Optional<Violation> violation = connection.peer.apply(payload);
      violation.ifPresent(connection::fail);
      if (violation.isEmpty()) {
        connection.onPeerSettings(connection.peer.initialWindowBytes() - before);
      }
    }
  }

  private void onSettingsAck(ByteBuffer payload) {
    if (payload.hasRemaining()) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "an acknowledgement of SETTINGS has a payload");
    } else if (!settingsSeen) {
      fail(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
    } else if (connection.onSettingsAck()) {
      headers.onSettingsAck();
    } else {
      charge(Offence.WITHOUT_EFFECT);
    }
  }

  private void onPing(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "PING on a stream");
    } else if (payload.remaining() != PING_BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "PING is not 8 octets long");
    } else if (header.has(Flags.ACK)) {
      onPingAck(payload.getLong());
    } else if (!connection.timers.isTolerablePing()) {
      fail(ErrorCode.ENHANCE_YOUR_CALM, TOO_MANY_PINGS);
    } else if (charge(Offence.PING)) {
      connection.answerPing(payload.getLong());
    }
  }

  private void onPingAck(long opaque) {
    if (!connection.timers.onPingAck()) {
      charge(Offence.WITHOUT_EFFECT);
    } else if (!connection.inbound.onPingAck(opaque)) {
      connection.events.onPingAck(opaque);
    }
  }

  private void onGoAway(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "GOAWAY on a stream");
      return;
    }
    if (payload.remaining() < 2 * Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "GOAWAY is shorter than 8 octets");
      return;
    }
    if (!charge(Offence.GOAWAY)) {
      return;
    }
    int lastStreamId = payload.getInt() & Integer.MAX_VALUE;
    ErrorCode code = ErrorCode.of(payload.getInt());
    byte[] debug = new byte[Math.min(payload.remaining(), LONGEST_DEBUG_BYTES)];
    payload.get(debug);
    connection.onPeerGoesAway();
    connection.events.onGoAway(lastStreamId, code, new String(debug, StandardCharsets.UTF_8));
    if (connection.role == Role.CLIENT) {
      connection.streams.forEach(stream -> giveUpAbove(lastStreamId, stream));
    }
  }

  private void giveUpAbove(int lastStreamId, Http2Stream stream) {
    if (stream.id() > lastStreamId) {
      connection.moveTo(stream, StreamState.RESET_BY_PEER);
      connection.events.onUnprocessed(stream);
    }
  }

  private void onWindowUpdate(FrameHeader header, ByteBuffer payload) {
    if (payload.remaining() != Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "WINDOW_UPDATE is not 4 octets long");
      return;
    }
    int id = header.streamId();
    int increment = payload.getInt() & Integer.MAX_VALUE;
    if (increment == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
    } else if (id != 0 && isIdle(id)) {
      fail(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE on an idle stream");
    } else if (connection.updates.spend() || charge(Offence.WINDOW_UPDATE)) {
      widen(id, increment);
    }
  }

  private void widen(int streamId, int increment) {
    Http2Stream stream = connection.streams.find(streamId);
    boolean late = streamId != 0 && stream == null;
    if (late || connection.widen(stream, increment)) {
      return;
    }
    String detail = "WINDOW_UPDATE widens a window past 2^31-1 (RFC 9113 §6.9.1)";
    if (stream == null) {
      fail(ErrorCode.FLOW_CONTROL_ERROR, detail);
    } else {
      connection.streamErrors.end(stream, ErrorCode.FLOW_CONTROL_ERROR, detail);
    }
  }

  /** Whether the stream was never opened, by either side. */
  private boolean isIdle(int streamId) {
    boolean clients = (streamId & 1) == 1;
    int last =
        connection.role == Role.CLIENT
            ? connection.lastOwnStreamId()
            : connection.peerStreams.lastId();
    return !clients || streamId > last;
  }

  private boolean charge(Offence offence) {
    return connection.streamErrors.charge(offence);
  }

  private void fail(ErrorCode code, String detail) {
    connection.fail(new Violation.OfConnection(code, detail));
  }
}
