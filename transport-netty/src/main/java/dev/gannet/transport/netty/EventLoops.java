package dev.gannet.transport.netty;

import dev.gannet.api.EventLoopThread;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.Optional;

/**
 * Event loops, and what their connections are made of. All connections of this JVM share those that
 * are made on first use: as many threads as processors, daemons.
 *
 * <p>Linux's epoll where its native library is present, the JDK's selectors elsewhere.
 *
 * @param userTimeoutMillis the option that has a socket give up what nobody acknowledges, where
 *     there is one
 * @param memory where buffers come from
 */
record EventLoops(
    EventLoopGroup group,
    ChannelFactory<? extends Channel> sockets,
    ChannelFactory<? extends ServerChannel> serverSockets,
    Optional<ChannelOption<Integer>> userTimeoutMillis,
    ByteBufAllocator memory) {

  private static final OnFirstUse<EventLoops> SHARED =
      new OnFirstUse<>(
          () -> of(Runtime.getRuntime().availableProcessors(), ByteBufAllocator.DEFAULT));

  static EventLoops shared() {
    return SHARED.get();
  }

  /** Loops of their own; they run until their group is shut down. */
  static EventLoops of(int threads, ByteBufAllocator memory) {
    return isEpollPresent() ? epoll(threads, memory) : nio(threads, memory);
  }

  private static boolean isEpollPresent() {
    try {
      return Epoll.isAvailable();
    } catch (NoClassDefFoundError e) {
      return false; // the epoll jars are optional
    }
  }

  private static EventLoops epoll(int threads, ByteBufAllocator memory) {
    return new EventLoops(
        group(threads, EpollIoHandler.newFactory()),
        EpollSocketChannel::new,
        EpollServerSocketChannel::new,
        Optional.of(EpollChannelOption.TCP_USER_TIMEOUT),
        memory);
  }

  private static EventLoops nio(int threads, ByteBufAllocator memory) {
    return new EventLoops(
        group(threads, NioIoHandler.newFactory()),
        NioSocketChannel::new,
        NioServerSocketChannel::new,
        Optional.empty(),
        memory);
  }

  private static EventLoopGroup group(int threads, IoHandlerFactory factory) {
    return new MultiThreadIoEventLoopGroup(threads, new LoopThreads(), factory);
  }

  private static final class LoopThreads extends DefaultThreadFactory {
    LoopThreads() {
      super("gannet-loop", true);
    }

    @Override
    protected Thread newThread(Runnable work, String name) {
      return new LoopThread(threadGroup, work, name);
    }
  }

  private static final class LoopThread extends FastThreadLocalThread implements EventLoopThread {
    LoopThread(ThreadGroup group, Runnable work, String name) {
      super(group, work, name);
    }
  }
}
