/**
 * The managed channel, its builder and its engine: resolving, balancing, subchannels, idleness,
 * backoff, retry, hedging, service config.
 *
 * <p>No wire format, no socket and nothing of the server may come in here; transports are found by
 * {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.gannet.client;

import org.jspecify.annotations.NullMarked;
