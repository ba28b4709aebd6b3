/**
 * Byte pipes and their providers, as engines see them.
 *
 * <p>Sockets and TLS are implemented behind these interfaces, in transport modules that {@code
 * ServiceLoader} finds.
 */
@NullMarked
package dev.gannet.transport.pipe;

import org.jspecify.annotations.NullMarked;
