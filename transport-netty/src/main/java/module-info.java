/** Sockets, TLS and event loops with Netty, behind the interfaces of the transport module. */
module dev.gannet.transport.netty {
  requires static org.jspecify;
  requires dev.gannet.api;
  requires dev.gannet.http2;
  requires dev.gannet.transport;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;

  provides dev.gannet.transport.pipe.PipeProvider with
      dev.gannet.transport.netty.NettyPipes;
}
