package dev.gannet.http2.connection;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts a run of octets into frames; keeps what is not whole yet. */
final class FrameCutter {
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  List<WireFrame> cut(byte[] octets) {
    kept.writeBytes(octets);
    byte[] all = kept.toByteArray();
    ByteBuffer in = ByteBuffer.wrap(all);
    List<WireFrame> frames = new ArrayList<>();
    while (in.remaining() >= WireFrame.HEADER_BYTES) {
      int length = in.getInt(in.position()) >>> 8;
      if (in.remaining() < WireFrame.HEADER_BYTES + length) {
        break;
      }
      int type = in.get(in.position() + 3) & 0xff;
      int flags = in.get(in.position() + 4) & 0xff;
      int streamId = in.getInt(in.position() + 5);
      int from = in.position() + WireFrame.HEADER_BYTES;
      byte[] payload = Arrays.copyOfRange(all, from, from + length);
      frames.add(WireFrame.raw(type, flags, streamId, payload));
      in.position(from + length);
    }
    kept.reset();
    kept.write(all, in.position(), in.remaining());
    return frames;
  }

  /** Octets that are no whole frame. */
  int keptBytes() {
    return kept.size();
  }
}
