/**
 * The interface between engines and transports: a call is a stream of events from the transport to
 * the engine and of commands in the other direction.
 *
 * <p>Client and server engines are written against this package; {@code transport.http2} implements
 * it over any byte pipe. No socket and no channel or server state is in this package.
 */
@NullMarked
package dev.gannet.transport;

import org.jspecify.annotations.NullMarked;
