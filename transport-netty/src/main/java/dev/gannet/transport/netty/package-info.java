/**
 * Sockets, TLS, Unix domain sockets and event loops (epoll, io_uring, kqueue, NIO), on Netty.
 *
 * <p>The only room that says {@code io.netty}, and it lets no Netty type out. What a frame or a
 * call means is decided in other rooms.
 */
@NullMarked
package dev.gannet.transport.netty;

import org.jspecify.annotations.NullMarked;
