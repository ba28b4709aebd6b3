package dev.gannet.transport.http2;

import dev.gannet.http2.ByteSink;
import dev.gannet.transport.pipe.Pipe;
import java.nio.ByteBuffer;

/**
 * Writes a connection's frames into its pipe, and drops them once the pipe is closed: calls still
 * end by writing frames then, and that must not fail because memory is short.
 */
final class Outlet implements ByteSink {
  private final Pipe pipe;
  private ByteBuffer nowhere = ByteBuffer.allocate(0);
  private boolean shut;

  Outlet(Pipe pipe) {
    this.pipe = pipe;
  }

  /** The pipe is closed. */
  void shut() {
    shut = true;
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    return shut ? reserveNowhere(bytes) : pipe.reserve(bytes);
  }

  private ByteBuffer reserveNowhere(int bytes) {
    if (nowhere.capacity() < bytes) {
      nowhere = ByteBuffer.allocate(bytes);
    }
    return nowhere.clear();
  }

  @Override
  public boolean wantsMore() {
    return !shut && pipe.wantsMore();
  }

  @Override
  public long wireMark() {
    return shut ? NOTHING_WAITS : pipe.wireMark();
  }
}
