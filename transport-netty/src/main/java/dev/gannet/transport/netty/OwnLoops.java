package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.EventLoopsPart;
import io.netty.buffer.ByteBufAllocator;

/** Event loops that an application has created for itself, and closes. */
record OwnLoops(NettyEventLoops loops) implements EventLoopsPart {
  private static final long CLOSE_SECONDS = 5;

  static OwnLoops ofThreads(int threads) {
    return new OwnLoops(NettyEventLoops.of(threads, ByteBufAllocator.DEFAULT));
  }

  /** Closes their connections and ends their threads. */
  @Override
  public void close() {
    if (Thread.currentThread() instanceof EventLoopThread) {
      throw new IllegalStateException(
          "event loops cannot be closed by one of their threads, which would wait for itself");
    }
    loops.shutDown(CLOSE_SECONDS);
  }
}
