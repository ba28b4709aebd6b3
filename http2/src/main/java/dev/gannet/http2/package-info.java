/**
 * RFC 9113 and RFC 7541 as pure state: bytes and a time come in, what happened and bytes to send go
 * out.
 *
 * <p>No socket, clock, thread, lock, log or Netty type may come in here, nothing of gRPC, and
 * nothing that a peer sends may leave as an exception.
 */
@NullMarked
package dev.gannet.http2;

import org.jspecify.annotations.NullMarked;
