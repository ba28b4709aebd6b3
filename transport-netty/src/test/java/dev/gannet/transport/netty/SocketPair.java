package dev.gannet.transport.netty;

import dev.gannet.transport.ConnectionInfo;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;

/** A pipe of ours over a socket of this machine, and the plain socket at its other end. */
final class SocketPair implements AutoCloseable {
  private final Channel channel;
  private final Socket peer;
  private final NettyPipe pipe;

  SocketPair() throws IOException {
    this(NettyEventLoops.shared());
  }

  /** On one of those loops. */
  SocketPair(NettyEventLoops loops) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(0, 1, here)) {
      channel =
          new Bootstrap()
              .group(loops.next())
              .channelFactory(loops.kind().tcp().sockets())
              .handler(new ChannelInboundHandlerAdapter())
              .connect(here, listening.getLocalPort())
              .syncUninterruptibly()
              .channel();
      peer = listening.accept();
    }
    ConnectionInfo info = new ConnectionInfo(channel.localAddress(), channel.remoteAddress());
    long openedNanos = System.nanoTime();
    pipe =
        channel
            .eventLoop()
            .submit(() -> new NettyPipe(channel, loops.kind(), info, openedNanos))
            .syncUninterruptibly()
            .getNow();
  }

  Channel channel() {
    return channel;
  }

  Socket peer() {
    return peer;
  }

  NettyPipe pipe() {
    return pipe;
  }

  /** Does it on the pipe's loop and waits for what comes of it. */
  <T> T onLoop(Callable<T> task) throws Exception {
    return channel.eventLoop().submit(task).get();
  }

  @Override
  public void close() throws IOException {
    channel.close().syncUninterruptibly();
    peer.close();
  }
}
