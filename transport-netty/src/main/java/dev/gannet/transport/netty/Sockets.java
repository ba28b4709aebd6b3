package dev.gannet.transport.netty;

import dev.gannet.api.transport.SocketOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Applies socket options. */
final class Sockets {
  /** An unbound Unix domain socket, such as those of clients. */
  private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  private Sockets() {}

  /**
   * A socket that connects. Its buffers are set before, because TCP negotiates them when it
   * connects.
   */
  static void setUp(Bootstrap bootstrap, SocketAddress to, SocketOptions options) {
    long timeoutMillis = Math.clamp(options.connectTimeout().toMillis(), 1, Integer.MAX_VALUE);
    bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeoutMillis);
    if (isTcp(to)) {
      bootstrap.option(ChannelOption.TCP_NODELAY, options.noDelay());
      if (options.keepAlive()) {
        bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
      }
    }
    set(bootstrap, ChannelOption.SO_RCVBUF, options.receiveBufferBytes());
    set(bootstrap, ChannelOption.SO_SNDBUF, options.sendBufferBytes());
  }

  /** A socket that listens. Accepted sockets inherit its receive buffer. */
  static void setUpListening(
      Bootstrap bootstrap, SocketAddress at, NettyEventLoops.Kind kind, SocketOptions options) {
    bootstrap.option(ChannelOption.SO_BACKLOG, options.backlog());
    if (isTcp(at)) {
      bootstrap.option(ChannelOption.SO_REUSEADDR, options.reuseAddress());
      if (options.reusePort()) {
        bootstrap.option(kind.reusePort(), true);
      }
    }
    set(bootstrap, ChannelOption.SO_RCVBUF, options.receiveBufferBytes());
  }

  /** An accepted socket. TCP options are not applied to other sockets. */
  static void setUpAccepted(ChannelConfig accepted, SocketOptions options) {
    accepted.setOption(ChannelOption.TCP_NODELAY, options.noDelay());
    if (options.keepAlive()) {
      accepted.setOption(ChannelOption.SO_KEEPALIVE, true);
    }
    if (options.sendBufferBytes().isPresent()) {
      accepted.setOption(ChannelOption.SO_SNDBUF, options.sendBufferBytes().getAsInt());
    }
  }

  private static boolean isTcp(SocketAddress address) {
    return !(address instanceof UnixDomainSocketAddress);
  }

  /** The address of this side, as a class of the JDK. */
  static SocketAddress localOf(Channel channel) {
    return ofJdk(channel.localAddress());
  }

  /** The address of the other side, as a class of the JDK. */
  static SocketAddress remoteOf(Channel channel) {
    return ofJdk(channel.remoteAddress());
  }

  /**
   * Native sockets have their own address class, and none for a client without a file. Not a
   * switch, because the first switch over types delays the first call of a process by 10 ms.
   */
  private static SocketAddress ofJdk(@Nullable SocketAddress address) {
    if (address == null) {
      return UNNAMED;
    }
    return address instanceof DomainSocketAddress unix
        ? UnixDomainSocketAddress.of(unix.path())
        : address;
  }

  private static void set(Bootstrap bootstrap, ChannelOption<Integer> option, OptionalInt value) {
    if (value.isPresent()) {
      bootstrap.option(option, value.getAsInt());
    }
  }
}
