package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** PRIORITY, RST_STREAM and WINDOW_UPDATE from the peer (RFC 9113 §6.3, §6.4, §6.9). */
final class ReceivedStreamFrames {
  private static final int PRIORITY_BYTES = 5;

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final StreamErrors errors;
  private final PeerCredit credit;

  ReceivedStreamFrames(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      StreamErrors errors,
      PeerCredit credit) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.errors = errors;
    this.credit = credit;
  }

  void onPriority(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "PRIORITY on stream 0");
    } else if (payload.remaining() != PRIORITY_BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "PRIORITY is not 5 octets long");
    } else {
      errors.charge(AbuseKind.PRIORITY);
    }
  }

  void onRstStream(FrameHeader header, ByteBuffer payload) {
    int id = header.streamId();
    if (id == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "RST_STREAM on stream 0");
    } else if (payload.remaining() != Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "RST_STREAM is not 4 octets long");
    } else if (streams.isIdle(id)) {
      fail(ErrorCode.PROTOCOL_ERROR, "RST_STREAM on an idle stream");
    } else if (environment.isServer()) {
      onResetOfClient(id, ErrorCode.of(payload.getInt()));
    } else if (credit.resets().spend() || errors.charge(AbuseKind.LATE_FRAME)) {
      credit
          .lateFrames()
          .remove(id); // a server's are free of charge as far as this side's frames explain them
      reset(streams.find(id), ErrorCode.of(payload.getInt()));
    }
  }

  /**
   * What a client cancels has caused work here. On a closed stream there is nothing to cancel: the
   * reset crossed our answer, or a reset of ours, which was counted if necessary. Once for each
   * stream, however many have accumulated: each of them has cost the client a call.
   */
  private void onResetOfClient(int streamId, ErrorCode code) {
    Http2Stream stream = streams.find(streamId);
    boolean earned = credit.resets().spend();
    if (stream != null) {
      if (errors.charge(AbuseKind.RESET_STREAM)) {
        reset(stream, code);
      }
    } else if (!credit.lateFrames().remove(streamId) && !earned) {
      errors.charge(AbuseKind.WITHOUT_EFFECT);
    }
  }

  private void reset(@Nullable Http2Stream stream, ErrorCode code) {
    if (stream != null && stream.state.onReset() instanceof StreamState.Step.To(var next)) {
      outbound.move(stream, next);
      environment.events().onReset(stream, code);
    }
  }

  void onWindowUpdate(FrameHeader header, ByteBuffer payload) {
    if (payload.remaining() != Integer.BYTES) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "WINDOW_UPDATE is not 4 octets long");
      return;
    }
    int id = header.streamId();
    int increment = payload.getInt() & Integer.MAX_VALUE;
    if (increment == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
    } else if (id != 0 && streams.isIdle(id)) {
      fail(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE on an idle stream");
    } else if (credit.updates().spend() || errors.charge(AbuseKind.WINDOW_UPDATE)) {
      widen(id, increment);
    }
  }

  private void widen(int streamId, int increment) {
    Http2Stream stream = streams.find(streamId);
    boolean late = streamId != 0 && stream == null;
    if (late || outbound.widen(stream, increment)) {
      return;
    }
    String detail = "WINDOW_UPDATE widens a window past 2^31-1 (RFC 9113 §6.9.1)";
    if (stream == null) {
      fail(ErrorCode.FLOW_CONTROL_ERROR, detail);
    } else {
      errors.reset(stream, ErrorCode.FLOW_CONTROL_ERROR, detail);
    }
  }

  private void fail(ErrorCode code, String detail) {
    outbound.fail(new Violation.OfConnection(code, detail));
  }
}
