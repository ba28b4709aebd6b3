/**
 * The driver: runs {@code http2} over any byte pipe and presents its streams as calls, for clients
 * and for servers.
 *
 * <p>Each connection is confined to its pipe's loop; commands of other threads arrive through one
 * mailbox. No channel or server state is in this package.
 */
@NullMarked
package dev.gannet.transport.http2;

import org.jspecify.annotations.NullMarked;
