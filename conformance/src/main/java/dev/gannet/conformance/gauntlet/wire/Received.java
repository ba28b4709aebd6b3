package dev.gannet.conformance.gauntlet.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a server has sent on one connection, as far as attackers need it: its settings, the ends of
 * streams, GOAWAY. Written by one thread, read by any.
 */
final class Received {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int GOAWAY_BYTES = 8;
  private static final int NO_ERROR = 0;

  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private final AtomicLong settings = new AtomicLong();
  private final AtomicLong resets = new AtomicLong();
  private final AtomicLong dataFrames = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private volatile Optional<Ending.GoAway> goAway = Optional.empty();
  private int skipBytes;

  /** SETTINGS that need an acknowledgement. */
  long settings() {
    return settings.get();
  }

  /** Streams that the server has reset before it answered them. */
  long resets() {
    return resets.get();
  }

  /** Streams that the server has ended, with trailers or with data. */
  long ended() {
    return ended.get();
  }

  long dataFrames() {
    return dataFrames.get();
  }

  Optional<Ending.GoAway> goAway() {
    return goAway;
  }

  /** Reads until the server ends the connection. */
  void readAll(ReadableByteChannel channel) throws IOException {
    while (readSome(channel)) {
      drainFrames();
    }
  }

  private boolean readSome(ReadableByteChannel channel) throws IOException {
    buffer.compact();
    int bytes = channel.read(buffer);
    buffer.flip();
    return bytes >= 0;
  }

  private void drainFrames() {
    while (skip() && buffer.remaining() >= Frames.HEADER_BYTES) {
      int at = buffer.position();
      int length = buffer.getInt(at) >>> Byte.SIZE;
      int type = buffer.get(at + 3);
      int flags = buffer.get(at + 4);
      boolean wantsPayload = type == Frames.GOAWAY || type == Frames.RST_STREAM;
      if (wantsPayload && buffer.remaining() < Frames.HEADER_BYTES + length) {
        return;
      }
      buffer.position(at + Frames.HEADER_BYTES);
      onFrame(type, flags, length);
      skipBytes = length;
    }
  }

  /** True when nothing is left to skip. */
  private boolean skip() {
    int now = Math.min(skipBytes, buffer.remaining());
    buffer.position(buffer.position() + now);
    skipBytes -= now;
    return skipBytes == 0;
  }

  private void onFrame(int type, int flags, int length) {
    switch (type) {
      case Frames.SETTINGS -> {
        if ((flags & Frames.ACK) == 0) {
          settings.incrementAndGet();
        }
      }
      case Frames.RST_STREAM -> {
        if (buffer.getInt(buffer.position()) != NO_ERROR) {
          resets.incrementAndGet();
        }
      }
      case Frames.HEADERS, Frames.DATA -> {
        if (type == Frames.DATA) {
          dataFrames.incrementAndGet();
        }
        if ((flags & Frames.END_STREAM) != 0) {
          ended.incrementAndGet();
        }
      }
      case Frames.GOAWAY -> onGoAway(length);
      default -> {} // nothing that an attacker waits for
    }
  }

  private void onGoAway(int length) {
    int at = buffer.position();
    byte[] text = new byte[Math.max(0, length - GOAWAY_BYTES)];
    buffer.get(at + GOAWAY_BYTES, text);
    int code = buffer.getInt(at + Integer.BYTES);
    goAway = Optional.of(new Ending.GoAway(code, new String(text, StandardCharsets.UTF_8)));
  }
}
