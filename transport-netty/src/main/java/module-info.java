/** Sockets, TLS, Unix domain sockets and event loops, on Netty. */
module dev.gannet.transport.netty {
  requires dev.gannet.transport;
  requires io.netty.common;
  requires io.netty.buffer;
  requires io.netty.transport;
  requires io.netty.handler;
  requires io.netty.transport.unix.common;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.classes.io_uring;
  requires io.netty.transport.classes.kqueue;
  requires static org.jspecify;
}
