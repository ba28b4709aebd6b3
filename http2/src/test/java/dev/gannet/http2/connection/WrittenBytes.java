package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A sink with just the room it is asked for, somewhere inside a buffer. */
final class WrittenBytes implements ByteSink {
  private static final int OFFSET = 3;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private ByteBuffer last = ByteBuffer.allocate(OFFSET).position(OFFSET);
  private int wantedFrames = Integer.MAX_VALUE;
  private long wireMark = NOTHING_WAITS;

  @Override
  public ByteBuffer reserve(int bytes) {
    collect();
    last = ByteBuffer.allocate(OFFSET + bytes).position(OFFSET);
    return last;
  }

  @Override
  public boolean wantsMore() {
    return wantedFrames-- > 0;
  }

  /** Lets so many frames of DATA through and then claims to be full. */
  void wants(int frames) {
    wantedFrames = frames;
  }

  @Override
  public long wireMark() {
    return wireMark;
  }

  /** Claims that something waits, and that the wire stands there; or that nothing does. */
  void standsAt(long mark) {
    wireMark = mark;
  }

  /** Everything written since the last call. */
  byte[] take() {
    collect();
    byte[] all = written.toByteArray();
    written.reset();
    return all;
  }

  int size() {
    collect();
    return written.size();
  }

  private void collect() {
    written.write(last.array(), OFFSET, last.position() - OFFSET);
    last = ByteBuffer.allocate(OFFSET).position(OFFSET);
  }
}
