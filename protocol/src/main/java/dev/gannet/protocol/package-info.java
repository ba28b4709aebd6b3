/**
 * What "gRPC over HTTP/2" means: message framing, the {@code grpc-*} fields, timeouts, status and
 * its mappings, message encodings.
 *
 * <p>Like {@code http2} it is pure: no socket, clock, thread, log or Netty type may come in here.
 */
@NullMarked
package dev.gannet.protocol;

import org.jspecify.annotations.NullMarked;
