package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.RecordedFrames.Frame;
import dev.gannet.http2.Role;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The frames in a complete array of bytes, read by a simple implementation with which our reader is
 * compared (RFC 9113 §4.1, §6.1).
 *
 * @param frames the whole ones
 * @param broken whether something behind them may not be sent
 */
record PlainFrames(List<Frame> frames, boolean broken) {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  static PlainFrames of(byte[] bytes, Role role, int maxFrameBytes, int mostFrames) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<Frame> frames = new ArrayList<>();
    if (role == Role.SERVER) {
      int said = Math.min(bytes.length, PREFACE.length);
      if (!Arrays.equals(bytes, 0, said, PREFACE, 0, said)) {
        return new PlainFrames(frames, true);
      }
      in.position(said);
    }
    while (in.remaining() >= FrameHeader.BYTES && frames.size() < mostFrames) {
      int lengthAndType = in.getInt();
      int payloadBytes = lengthAndType >>> 8;
      int type = lengthAndType & 0xff;
      int flags = in.get() & 0xff;
      int streamId = in.getInt() & Integer.MAX_VALUE;
      int padding = 0;
      boolean padded = type == FrameType.DATA && Flags.has(flags, Flags.PADDED);
      if (padded && in.hasRemaining()) {
        padding = 1 + (in.get(in.position()) & 0xff);
      }
      if (payloadBytes > maxFrameBytes || (padded && payloadBytes == 0) || padding > payloadBytes) {
        return new PlainFrames(frames, true);
      }
      if (in.remaining() < payloadBytes) {
        break;
      }
      int contentFrom = in.position() + (padded ? 1 : 0);
      ByteBuffer content = in.slice(contentFrom, payloadBytes - padding);
      in.position(in.position() + payloadBytes);
      frames.add(new Frame(type, flags, streamId, payloadBytes, content));
    }
    return new PlainFrames(frames, false);
  }
}
