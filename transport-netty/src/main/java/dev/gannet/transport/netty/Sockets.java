package dev.gannet.transport.netty;

import dev.gannet.api.transport.SocketOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import java.util.OptionalInt;

/** Sets up sockets as users want them. */
final class Sockets {
  private Sockets() {}

  /** A socket that connects. Its buffers are set before, as TCP agrees on them when it connects. */
  static void setUp(Bootstrap bootstrap, SocketOptions options) {
    long timeoutMillis = Math.clamp(options.connectTimeout().toMillis(), 1, Integer.MAX_VALUE);
    bootstrap
        .option(ChannelOption.TCP_NODELAY, options.noDelay())
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeoutMillis);
    if (options.keepAlive()) {
      bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
    }
    set(bootstrap, ChannelOption.SO_RCVBUF, options.receiveBufferBytes());
    set(bootstrap, ChannelOption.SO_SNDBUF, options.sendBufferBytes());
  }

  /** A socket that listens. What it accepts has its receive buffer. */
  static void setUpListening(Bootstrap bootstrap, EventLoops.Kind kind, SocketOptions options) {
    bootstrap
        .option(ChannelOption.SO_BACKLOG, options.backlog())
        .option(ChannelOption.SO_REUSEADDR, options.reuseAddress());
    if (options.reusePort()) {
      bootstrap.option(kind.reusePort(), true);
    }
    set(bootstrap, ChannelOption.SO_RCVBUF, options.receiveBufferBytes());
  }

  /** A socket that was accepted. */
  static void setUpAccepted(ChannelConfig accepted, SocketOptions options) {
    accepted.setOption(ChannelOption.TCP_NODELAY, options.noDelay());
    if (options.keepAlive()) {
      accepted.setOption(ChannelOption.SO_KEEPALIVE, true);
    }
    if (options.sendBufferBytes().isPresent()) {
      accepted.setOption(ChannelOption.SO_SNDBUF, options.sendBufferBytes().getAsInt());
    }
  }

  private static void set(Bootstrap bootstrap, ChannelOption<Integer> option, OptionalInt value) {
    if (value.isPresent()) {
      bootstrap.option(option, value.getAsInt());
    }
  }
}
