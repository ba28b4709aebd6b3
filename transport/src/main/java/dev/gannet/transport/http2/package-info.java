/**
 * The driver: runs {@code http2} over any byte pipe and turns its streams into calls, for clients
 * and for servers.
 *
 * <p>Each connection is confined to its pipe's loop; orders of other threads come through one
 * mailbox. What a channel or a server decides is not known here.
 */
@NullMarked
package dev.gannet.transport.http2;

import org.jspecify.annotations.NullMarked;
