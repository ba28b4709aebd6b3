/**
 * Sockets, TLS and event loops. The only module that uses {@code io.netty}.
 *
 * <p>It moves bytes between the network and pipes and knows nothing of HTTP/2 or calls.
 */
@NullMarked
package dev.gannet.transport.netty;

import org.jspecify.annotations.NullMarked;
