/**
 * Wires as engines see them: pipes for bytes, and who opens and accepts them.
 *
 * <p>Sockets and TLS live behind these contracts, in the rooms of transports that {@code
 * ServiceLoader} finds.
 */
@NullMarked
package dev.gannet.transport.pipe;

import org.jspecify.annotations.NullMarked;
