package dev.gannet.transport.netty;

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
import java.util.Optional;

/**
 * The event loops that all connections of this JVM share: as many threads as processors, daemons,
 * made on first use.
 *
 * <p>Linux's epoll where its native library is present, the JDK's selectors elsewhere.
 *
 * @param userTimeoutMillis the option that has a socket give up what nobody acknowledges, where
 *     there is one
 */
record EventLoops(
    EventLoopGroup group,
    ChannelFactory<? extends Channel> sockets,
    ChannelFactory<? extends ServerChannel> serverSockets,
    Optional<ChannelOption<Integer>> userTimeoutMillis) {

  static EventLoops shared() {
    return Shared.LOOPS;
  }

  private static final class Shared {
    private static final EventLoops LOOPS = isEpollPresent() ? epoll() : nio();

    private static boolean isEpollPresent() {
      try {
        return Epoll.isAvailable();
      } catch (NoClassDefFoundError e) {
        return false; // the epoll jars are optional
      }
    }

    private static EventLoops epoll() {
      return new EventLoops(
          group(EpollIoHandler.newFactory()),
          EpollSocketChannel::new,
          EpollServerSocketChannel::new,
          Optional.of(EpollChannelOption.TCP_USER_TIMEOUT));
    }

    private static EventLoops nio() {
      return new EventLoops(
          group(NioIoHandler.newFactory()),
          NioSocketChannel::new,
          NioServerSocketChannel::new,
          Optional.empty());
    }

    private static EventLoopGroup group(IoHandlerFactory factory) {
      int threads = Runtime.getRuntime().availableProcessors();
      return new MultiThreadIoEventLoopGroup(
          threads, new DefaultThreadFactory("gannet-loop", true), factory);
    }
  }
}
