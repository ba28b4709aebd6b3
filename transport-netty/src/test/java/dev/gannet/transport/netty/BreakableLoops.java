package dev.gannet.transport.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Event loops whose I/O can be broken, so that their threads end. */
final class BreakableLoops implements AutoCloseable, IoHandlerFactory {
  private static final long LONG_SECONDS = 30;

  private final IoHandlerFactory io;
  private final NettyEventLoops loops;
  private final NettyPipes pipes;
  private final ConcurrentLinkedQueue<Breakable> made = new ConcurrentLinkedQueue<>();
  private volatile boolean noMore;

  BreakableLoops(int threads) {
    this(NettyEventLoops.Kind.ofThisMachine(), threads);
  }

  BreakableLoops(NettyEventLoops.Kind kind, int threads) {
    this.io = kind.io();
    this.loops = new NettyEventLoops(kind.with(this), threads, ByteBufAllocator.DEFAULT);
    this.pipes = new NettyPipes(() -> loops);
  }

  NettyPipes pipes() {
    return pipes;
  }

  NettyEventLoops loops() {
    return loops;
  }

  /** All loops that there are fail at whatever they do from now on. */
  void breakAll(Error error) {
    made.forEach(breakable -> breakable.breakWith(error));
  }

  /** Fails all loops that there are, and waits until those that run have ended. */
  void endAll(Error error) throws InterruptedException {
    breakAll(error);
    for (Breakable breakable : made) {
      breakable.awaitEnd();
    }
  }

  /** No loop can be made any more. */
  void makeNoMore() {
    noMore = true;
  }

  @Override
  public IoHandler newHandler(ThreadAwareExecutor executor) {
    if (noMore) {
      throw new OutOfMemoryError("no more loops");
    }
    Breakable breakable = new Breakable(io.newHandler(executor));
    made.add(breakable);
    return breakable;
  }

  @Override
  public void close() {
    loops.shutDown(LONG_SECONDS);
  }

  private static final class Breakable implements IoHandler {
    private final IoHandler whole;
    private volatile boolean broken;
    private volatile Error error = new OutOfMemoryError();
    private volatile boolean started;
    private final CountDownLatch ended = new CountDownLatch(1);

    Breakable(IoHandler whole) {
      this.whole = whole;
    }

    void breakWith(Error with) {
      error = with;
      broken = true;
      whole.wakeup();
    }

    void awaitEnd() throws InterruptedException {
      if (broken && started && !ended.await(LONG_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("a broken loop does not end");
      }
    }

    @Override
    public int run(IoHandlerContext context) {
      int handled = broken ? 0 : whole.run(context);
      if (broken) {
        throw error;
      }
      return handled;
    }

    @Override
    public void initialize() {
      started = true;
      whole.initialize();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return whole.register(handle);
    }

    @Override
    public void prepareToDestroy() {
      whole.prepareToDestroy();
    }

    @Override
    public void destroy() {
      whole.destroy();
      ended.countDown();
    }

    @Override
    public void wakeup() {
      whole.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
      return whole.isCompatible(handleType);
    }
  }
}
