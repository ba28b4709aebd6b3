package dev.gannet.suites.storm;

import java.nio.ByteBuffer;

/**
 * Finds the frames in bytes that arrive in pieces (RFC 9113 §4.1). The payload of small frames is
 * kept, that of others is skipped.
 */
final class FrameScanner {
  static final int DATA = 0x0;
  static final int HEADERS = 0x1;
  static final int RST_STREAM = 0x3;
  static final int SETTINGS = 0x4;
  static final int GOAWAY = 0x7;
  static final int WINDOW_UPDATE = 0x8;

  static final int END_STREAM = 0x1;
  static final int INITIAL_WINDOW_SIZE = 0x4; // an entry of SETTINGS

  private static final int HEADER_BYTES = 9;
  private static final int PREFACE_BYTES = 24;
  private static final int MAX_KEPT_BYTES = 128;

  /** Receives the frames. */
  interface Frames {
    /** A frame whose header, and payload if it is small, are complete. */
    void onFrame(int type, int flags, int streamId, int payloadBytes, ByteBuffer payload);
  }

  private final Frames frames;
  private final byte[] kept = new byte[HEADER_BYTES + MAX_KEPT_BYTES];
  private int keptBytes;
  private int wantedBytes = HEADER_BYTES;
  private int bytesToSkip;

  /** A scanner for the bytes of a client, which begin with the preface, or of a server. */
  FrameScanner(boolean client, Frames frames) {
    this.frames = frames;
    this.bytesToSkip = client ? PREFACE_BYTES : 0;
  }

  void scan(ByteBuffer in) {
    while (in.hasRemaining()) {
      int skipped = Math.min(bytesToSkip, in.remaining());
      bytesToSkip -= skipped;
      in.position(in.position() + skipped);
      int taken = Math.min(wantedBytes - keptBytes, in.remaining());
      in.get(kept, keptBytes, taken);
      keptBytes += taken;
      if (keptBytes == wantedBytes) {
        onKept();
      }
    }
  }

  private void onKept() {
    ByteBuffer frame = ByteBuffer.wrap(kept, 0, keptBytes);
    int lengthAndType = frame.getInt();
    int payloadBytes = lengthAndType >>> 8;
    int type = lengthAndType & 0xff;
    boolean small = type != DATA && payloadBytes <= MAX_KEPT_BYTES;
    if (small && keptBytes < HEADER_BYTES + payloadBytes) {
      wantedBytes = HEADER_BYTES + payloadBytes;
      return;
    }
    bytesToSkip = small ? 0 : payloadBytes;
    keptBytes = 0;
    wantedBytes = HEADER_BYTES;
    int flags = frame.get() & 0xff;
    int streamId = frame.getInt() & Integer.MAX_VALUE;
    frames.onFrame(type, flags, streamId, payloadBytes, frame);
  }
}
