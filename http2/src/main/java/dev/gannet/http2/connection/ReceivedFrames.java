package dev.gannet.http2.connection;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.FrameHandler;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import java.nio.ByteBuffer;

/**
 * Which frames are allowed now, and which object processes each of them (RFC 9113 §3.4, §4.3, §6).
 */
final class ReceivedFrames implements FrameHandler {
  private final Outbound outbound;
  private final Intake intake;
  private final ConnectionTimers timers;
  private final ReceivedHeaders headers;
  private final ReceivedData data;
  private final ReceivedStreamFrames streamFrames;
  private final ReceivedControl control;

  // Breaks ParameterNumber: an object for each kind of frame, and those that count all frames.
  ReceivedFrames(
      Outbound outbound,
      Intake intake,
      ConnectionTimers timers,
      ReceivedHeaders headers,
      ReceivedData data,
      ReceivedStreamFrames streamFrames,
      ReceivedControl control) {
    this.outbound = outbound;
    this.intake = intake;
    this.timers = timers;
    this.headers = headers;
    this.data = data;
    this.streamFrames = streamFrames;
    this.control = control;
  }

  @Override
  public void onFrame(FrameHeader header, ByteBuffer payload) {
    intake.onFrame();
    if (!checkOrder(header)) {
      return;
    }
    apply(header, payload);
    if (!headers.isBlockOpen()) {
      timers.onFrameEnd();
    }
  }

  /** Fails the connection if a frame of this type may not come now; returns whether it may. */
  private boolean checkOrder(FrameHeader header) {
    if (!control.areSettingsSeen() && header.type() != FrameType.SETTINGS) {
      fail(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS");
      return false;
    }
    if (headers.isBlockOpen() && header.type() != FrameType.CONTINUATION) {
      fail(ErrorCode.PROTOCOL_ERROR, "another frame came inside a header block");
      return false;
    }
    return true;
  }

  private void apply(FrameHeader header, ByteBuffer payload) {
    switch (header.type()) {
      case FrameType.HEADERS -> headers.onHeaders(header, payload);
      case FrameType.CONTINUATION -> headers.onContinuation(header, payload);
      case FrameType.PRIORITY -> streamFrames.onPriority(header, payload);
      case FrameType.RST_STREAM -> streamFrames.onRstStream(header, payload);
      case FrameType.SETTINGS -> control.onSettings(header, payload);
      case FrameType.PUSH_PROMISE ->
          fail(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE came although push is off");
      case FrameType.PING -> control.onPing(header, payload);
      case FrameType.GOAWAY -> control.onGoAway(header, payload);
      case FrameType.WINDOW_UPDATE -> streamFrames.onWindowUpdate(header, payload);
      default -> control.onUnknown(); // must be ignored, RFC 9113 §4.1
    }
  }

  @Override
  public void onDataHeader(FrameHeader header) {
    intake.onData(header.payloadBytes());
    timers.onFrameEnd();
    if (checkOrder(header)) {
      data.beginFrame(header);
    }
  }

  @Override
  public void onDataBytes(ByteBuffer piece) {
    data.piece(piece);
  }

  @Override
  public void onDataEnd() {
    if (!outbound.hasFailed()) {
      data.endFrame();
    }
  }

  @Override
  public void onBroken(Violation violation) {
    outbound.fail(violation);
  }

  @Override
  public boolean wantsFrames() {
    return !outbound.hasFailed() && intake.checkOpen();
  }

  private void fail(ErrorCode code, String detail) {
    outbound.fail(new Violation.OfConnection(code, detail));
  }
}
