/**
 * Where engines and wires meet: a call as a stream of events up and of orders down, whatever
 * carries it.
 *
 * <p>Client and server engines are written against this package; {@code transport.http2} implements
 * it over any byte pipe. No socket and no channel or server state lives here.
 */
@NullMarked
package dev.gannet.transport;

import org.jspecify.annotations.NullMarked;
