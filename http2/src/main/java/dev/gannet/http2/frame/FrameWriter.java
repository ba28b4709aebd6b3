package dev.gannet.http2.frame;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes frames into a sink (RFC 9113 §6). It knows their layout; what may be sent when is decided
 * elsewhere.
 */
public final class FrameWriter {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int SETTING_BYTES = 6;
  private static final int MAX_DEBUG_BYTES = 256;

  private final ByteSink sink;

  public FrameWriter(ByteSink sink) {
    this.sink = sink;
  }

  /** What a client sends first (RFC 9113 §3.4). */
  public void preface() {
    sink.reserve(PREFACE.length).put(PREFACE);
  }

  /** SETTINGS with these ids and values in turn. */
  public void settings(int... idsAndValues) {
    int bytes = idsAndValues.length / 2 * SETTING_BYTES;
    ByteBuffer out = frame(bytes, FrameType.SETTINGS, Flags.NONE, 0);
    for (int i = 0; i < idsAndValues.length; i += 2) {
      out.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
    }
  }

  public void settingsAck() {
    frame(0, FrameType.SETTINGS, Flags.ACK, 0);
  }

  public void ping(long opaque) {
    frame(Long.BYTES, FrameType.PING, Flags.NONE, 0).putLong(opaque);
  }

  public void pingAck(long opaque) {
    frame(Long.BYTES, FrameType.PING, Flags.ACK, 0).putLong(opaque);
  }

  public void windowUpdate(int streamId, int increment) {
    frame(Integer.BYTES, FrameType.WINDOW_UPDATE, Flags.NONE, streamId).putInt(increment);
  }

  public void rstStream(int streamId, ErrorCode code) {
    frame(Integer.BYTES, FrameType.RST_STREAM, Flags.NONE, streamId).putInt(code.value());
  }

  /** GOAWAY; a long debug text is cut to a length that fits a log line. */
  public void goAway(int lastStreamId, ErrorCode code, String debug) {
    byte[] text = debug.getBytes(StandardCharsets.UTF_8);
    int textBytes = Math.min(text.length, MAX_DEBUG_BYTES);
    frame(2 * Integer.BYTES + textBytes, FrameType.GOAWAY, Flags.NONE, 0)
        .putInt(lastStreamId)
        .putInt(code.value())
        .put(text, 0, textBytes);
  }

  /** A header block as HEADERS and, if one frame cannot hold it, CONTINUATION frames. */
  public void headers(
      int streamId, byte[] block, int blockBytes, int maxFrameBytes, EndStream end) {
    int first = Math.min(blockBytes, maxFrameBytes);
    int endStream = end == EndStream.YES ? Flags.END_STREAM : Flags.NONE;
    int endHeaders = first == blockBytes ? Flags.END_HEADERS : Flags.NONE;
    frame(first, FrameType.HEADERS, endStream | endHeaders, streamId).put(block, 0, first);
    for (int at = first; at < blockBytes; ) {
      int bytes = Math.min(blockBytes - at, maxFrameBytes);
      int flags = at + bytes == blockBytes ? Flags.END_HEADERS : Flags.NONE;
      frame(bytes, FrameType.CONTINUATION, flags, streamId).put(block, at, bytes);
      at += bytes;
    }
  }

  /**
   * The header of a DATA frame; the caller fills the returned buffer with exactly this many bytes.
   */
  public ByteBuffer data(int streamId, int payloadBytes, EndStream end) {
    int flags = end == EndStream.YES ? Flags.END_STREAM : Flags.NONE;
    return frame(payloadBytes, FrameType.DATA, flags, streamId);
  }

  private ByteBuffer frame(int payloadBytes, int type, int flags, int streamId) {
    return sink.reserve(FrameHeader.BYTES + payloadBytes)
        .putInt(payloadBytes << 8 | type)
        .put((byte) flags)
        .putInt(streamId);
  }
}
