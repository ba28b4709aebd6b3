package dev.gannet.http2.stream;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;

/**
 * The state of one stream (RFC 9113 §5.1). "Closed" is three states, because late frames have
 * different consequences.
 *
 * <pre>
 *            HEADERS                 END_STREAM sent
 *   IDLE ───────────────► OPEN ───────────────────────► HALF_CLOSED_LOCAL ──┐ END_STREAM received
 *                          │  END_STREAM received                           ▼
 *                          └───────────────────────► HALF_CLOSED_REMOTE ► ENDED
 *   any ── RST_STREAM sent ──► RESET_BY_US        any ── RST_STREAM received ──► RESET_BY_PEER
 * </pre>
 */
public enum StreamState {
  IDLE,
  OPEN,
  HALF_CLOSED_LOCAL,
  HALF_CLOSED_REMOTE,
  ENDED,
  RESET_BY_US,
  RESET_BY_PEER;

  /** The result of one input. */
  public sealed interface Step {
    /** On its way when this side ended the stream: nothing happens, but flow control counts it. */
    Step IGNORE = new Ignore();

    record To(StreamState next) implements Step {}

    record Ignore() implements Step {}

    /**
     * The peer broke a rule; this closes the connection, so that nobody can make this side reset
     * streams in a loop.
     */
    record Broken(ErrorCode code, String detail) implements Step {}
  }

  private static final Step TO_OPEN = new Step.To(OPEN);
  private static final Step TO_HALF_CLOSED_LOCAL = new Step.To(HALF_CLOSED_LOCAL);
  private static final Step TO_HALF_CLOSED_REMOTE = new Step.To(HALF_CLOSED_REMOTE);
  private static final Step TO_ENDED = new Step.To(ENDED);
  private static final Step TO_RESET_BY_PEER = new Step.To(RESET_BY_PEER);
  private static final Step HEADERS_AFTER_END =
      new Step.Broken(ErrorCode.STREAM_CLOSED, "HEADERS after the stream's end");
  private static final Step DATA_AFTER_END =
      new Step.Broken(ErrorCode.STREAM_CLOSED, "DATA after the stream's end");
  private static final Step DATA_BEFORE_HEADERS =
      new Step.Broken(ErrorCode.PROTOCOL_ERROR, "DATA on an idle stream");
  private static final Step RESET_OF_IDLE =
      new Step.Broken(ErrorCode.PROTOCOL_ERROR, "RST_STREAM on an idle stream");

  /** What receiving a whole header block does. */
  public Step onHeaders(EndStream end) {
    return switch (this) {
      case IDLE, OPEN -> end == EndStream.YES ? TO_HALF_CLOSED_REMOTE : TO_OPEN;
      case HALF_CLOSED_LOCAL -> end == EndStream.YES ? TO_ENDED : TO_HALF_CLOSED_LOCAL;
      case RESET_BY_US -> Step.IGNORE;
      case HALF_CLOSED_REMOTE, ENDED, RESET_BY_PEER -> HEADERS_AFTER_END;
    };
  }

  /** What receiving DATA does. */
  public Step onData(EndStream end) {
    return switch (this) {
      case OPEN -> end == EndStream.YES ? TO_HALF_CLOSED_REMOTE : TO_OPEN;
      case HALF_CLOSED_LOCAL -> end == EndStream.YES ? TO_ENDED : TO_HALF_CLOSED_LOCAL;
      case RESET_BY_US -> Step.IGNORE;
      case HALF_CLOSED_REMOTE, ENDED, RESET_BY_PEER -> DATA_AFTER_END;
      case IDLE -> DATA_BEFORE_HEADERS;
    };
  }

  /** What receiving RST_STREAM does. */
  public Step onReset() {
    return switch (this) {
      case IDLE -> RESET_OF_IDLE;
      case OPEN, HALF_CLOSED_LOCAL, HALF_CLOSED_REMOTE -> TO_RESET_BY_PEER;
      case ENDED, RESET_BY_US, RESET_BY_PEER -> Step.IGNORE;
    };
  }

  /** The state after we sent a header block or DATA. */
  public StreamState afterSending(EndStream end) {
    return switch (this) {
      case IDLE, OPEN -> end == EndStream.YES ? HALF_CLOSED_LOCAL : OPEN;
      case HALF_CLOSED_REMOTE -> end == EndStream.YES ? ENDED : HALF_CLOSED_REMOTE;
      case HALF_CLOSED_LOCAL, ENDED, RESET_BY_US, RESET_BY_PEER -> this;
    };
  }

  /** Whether we may still send on it. */
  public boolean isWritable() {
    return this == OPEN || this == HALF_CLOSED_REMOTE;
  }

  /** Whether the peer may still send on it. */
  public boolean isReadable() {
    return this == OPEN || this == HALF_CLOSED_LOCAL;
  }

  /** Whether nothing more can happen on it. */
  public boolean isClosed() {
    return this == ENDED || this == RESET_BY_US || this == RESET_BY_PEER;
  }
}
