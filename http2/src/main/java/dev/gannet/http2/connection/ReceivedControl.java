package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Excess;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** SETTINGS, PING and GOAWAY from the peer (RFC 9113 §6.5, §6.7, §6.8). */
final class ReceivedControl {
  private static final String TOO_MANY_PINGS = "too_many_pings"; // gRFC A8 requires this exact text
  private static final int PING_BYTES = 8;
  private static final int MAX_DEBUG_BYTES = 256;

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final StreamErrors errors;
  private final ConnectionTimers timers;
  private final InboundFlow inbound;
  private boolean settingsSeen;

  ReceivedControl(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      StreamErrors errors,
      ConnectionTimers timers,
      InboundFlow inbound) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.errors = errors;
    this.timers = timers;
    this.inbound = inbound;
  }

  /** Whether SETTINGS have arrived, which must be the first frame. */
  boolean areSettingsSeen() {
    return settingsSeen;
  }

  void onSettings(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "SETTINGS on a stream");
    } else if (header.has(Flags.ACK)) {
      onSettingsAck(payload);
    } else if (errors.charge(AbuseKind.SETTINGS)) {
      settingsSeen = true;
      timers.onPeerSettings();
      outbound.applySettings(payload);
    }
  }

  private void onSettingsAck(ByteBuffer payload) {
    if (payload.hasRemaining()) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "an acknowledgement of SETTINGS has a payload");
    } else if (!settingsSeen) {
      fail(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
    } else if (timers.onSettingsAck()) {
      streams.onSettingsKnown();
      inbound.onSettingsAck();
    } else {
      errors.charge(AbuseKind.WITHOUT_EFFECT);
    }
  }

  void onPing(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "PING on a stream");
    } else if (payload.remaining() != PING_BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "PING is not 8 octets long");
    } else if (header.has(Flags.ACK)) {
      onPingAck(payload.getLong());
    } else if (!timers.onPing()) {
      outbound.fail(new Violation.OverLimit(Excess.PINGS, TOO_MANY_PINGS));
    } else if (errors.charge(AbuseKind.PING)) {
      outbound.answerPing(payload.getLong());
    }
  }

  private void onPingAck(long opaque) {
    if (!timers.onPingAck()) {
      errors.charge(AbuseKind.WITHOUT_EFFECT);
    } else if (!inbound.onPingAck(opaque)) {
      environment.events().onPingAck(opaque);
    }
  }

  void onGoAway(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() != 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "GOAWAY on a stream");
      return;
    }
    if (payload.remaining() < 2 * Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "GOAWAY is shorter than 8 octets");
      return;
    }
    if (!errors.charge(AbuseKind.GOAWAY)) {
      return;
    }
    int lastStreamId = payload.getInt() & Integer.MAX_VALUE;
    ErrorCode code = ErrorCode.of(payload.getInt());
    byte[] debug = new byte[Math.min(payload.remaining(), MAX_DEBUG_BYTES)];
    payload.get(debug);
    streams.onPeerGoesAway();
    environment.events().onGoAway(lastStreamId, code, new String(debug, StandardCharsets.UTF_8));
    if (environment.isClient()) {
      streams.forEach(stream -> giveUpAbove(lastStreamId, stream));
    }
  }

  private void giveUpAbove(int lastStreamId, Http2Stream stream) {
    if (stream.id() > lastStreamId) {
      outbound.move(stream, StreamState.RESET_BY_PEER);
      environment.events().onUnprocessed(stream);
    }
  }

  /** A frame of an unknown type. */
  void onUnknown() {
    errors.charge(AbuseKind.WITHOUT_EFFECT);
  }

  private void fail(ErrorCode code, String detail) {
    outbound.fail(new Violation.OfConnection(code, detail));
  }
}
