/**
 * Reports the events of a call to the tracers that users registered.
 *
 * <p>An exception of a tracer is logged and does not change the call. Transports call this package
 * for a server's calls, and the client's engine for its own; the interface between engines and
 * transports does not depend on it.
 */
@NullMarked
package dev.gannet.transport.tracing;

import org.jspecify.annotations.NullMarked;
