/**
 * The server, its builder and its engine: registries, dispatch, handlers, drain.
 *
 * <p>No wire format, no socket and nothing of the client may come in here; transports are found by
 * {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.gannet.server;

import org.jspecify.annotations.NullMarked;
