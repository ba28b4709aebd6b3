package dev.gannet.transport.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.unix.FileDescriptor;
import java.nio.channels.SelectableChannel;

/**
 * The I/O handler of a loop. What is thrown while one channel is served closes only that channel.
 * Confined to the loop, except {@link #wakeup}.
 */
final class GuardedIo implements IoHandler {
  /** Wraps what a channel registers with an {@link IoHandler} in a guard. */
  @FunctionalInterface
  interface Guard {
    IoHandle guard(IoHandle handle, GuardedLoop loop);
  }

  private final IoHandler io;
  private final Guard guard;
  private final GuardedLoop loop;

  GuardedIo(IoHandler io, Guard guard, GuardedLoop loop) {
    this.io = io;
    this.guard = guard;
    this.loop = loop;
  }

  /** The guard of Linux's epoll; in a separate class because its library is optional. */
  static IoHandle guardEpoll(IoHandle handle, GuardedLoop loop) {
    return new OfEpoll((EpollIoHandle) handle, loop);
  }

  /** The guard of the JDK's selectors. */
  static IoHandle guardNio(IoHandle handle, GuardedLoop loop) {
    return new OfNio((NioIoHandle) handle, loop);
  }

  @Override
  public void initialize() {
    io.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return io.run(context);
  }

  /** A loop that is ending accepts no more channels: nothing would close them. */
  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    if (loop.hasEnded()) {
      throw new IllegalStateException("the event loop has ended");
    }
    return io.register(guard.guard(handle, loop));
  }

  @Override
  public void prepareToDestroy() {
    io.prepareToDestroy();
  }

  @Override
  public void destroy() {
    io.destroy();
  }

  @Override
  public void wakeup() {
    io.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return io.isCompatible(handleType);
  }

  private static void handle(
      IoHandle handle, IoRegistration registration, IoEvent event, GuardedLoop loop) {
    try {
      handle.handle(registration, event);
    } catch (Throwable e) {
      loop.failMembersOf(handle, e);
    }
  }

  @SuppressWarnings("try") // nobody closes it as a resource
  private record OfEpoll(EpollIoHandle handle, GuardedLoop loop) implements EpollIoHandle {
    @Override
    public FileDescriptor fd() {
      return handle.fd();
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      GuardedIo.handle(handle, registration, event, loop);
    }

    @Override
    public void registered() {
      handle.registered();
    }

    @Override
    public void unregistered() {
      handle.unregistered();
    }

    @Override
    public void close() throws Exception {
      handle.close();
    }
  }

  @SuppressWarnings("try") // nobody closes it as a resource
  private record OfNio(NioIoHandle handle, GuardedLoop loop) implements NioIoHandle {
    @Override
    public SelectableChannel selectableChannel() {
      return handle.selectableChannel();
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      GuardedIo.handle(handle, registration, event, loop);
    }

    @Override
    public void registered() {
      handle.registered();
    }

    @Override
    public void unregistered() {
      handle.unregistered();
    }

    @Override
    public void close() throws Exception {
      handle.close();
    }
  }
}
