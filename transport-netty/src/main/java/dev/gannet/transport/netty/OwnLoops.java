package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import io.netty.buffer.ByteBufAllocator;

/**
 * Event loops that an application has created for itself, and closes.
 *
 * @param loops ends the loops when it runs
 */
record OwnLoops(NettyEventLoops loops) implements Runnable {
  private static final long CLOSE_SECONDS = 5;

  static OwnLoops ofThreads(int threads) {
    return new OwnLoops(NettyEventLoops.of(threads, ByteBufAllocator.DEFAULT));
  }

  /** Closes their connections and ends their threads. */
  @Override
  public void run() {
    if (Thread.currentThread() instanceof EventLoopThread) {
      throw new IllegalStateException(
          "event loops cannot be closed by one of their threads, which would wait for itself");
    }
    loops.shutDown(CLOSE_SECONDS);
  }
}
