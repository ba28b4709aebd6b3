/**
 * Sockets, TLS and event loops, on Netty.
 *
 * <p>It moves bytes between the network and pipes. It knows no frames, streams or calls; of HTTP/2
 * only what a pipe has to keep to: limits, error codes and where output is written.
 */
@NullMarked
package dev.gannet.transport.netty;

import org.jspecify.annotations.NullMarked;
