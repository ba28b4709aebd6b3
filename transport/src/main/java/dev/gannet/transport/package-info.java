/**
 * The seam between the engines and the wires, and the one driver that runs HTTP/2 over any byte
 * pipe.
 *
 * <p>Sockets, TLS and event loops stay with the transports behind the seam; names, balancing and
 * handlers stay with the engines before it.
 */
@NullMarked
package dev.gannet.transport;

import org.jspecify.annotations.NullMarked;
