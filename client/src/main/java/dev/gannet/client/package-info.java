/**
 * Channels: what users build and ask, and the core that puts the parts of the engine together. The
 * parts are packages that nobody else sees; each imports only those before it: {@code settings},
 * {@code tasks} and {@code journal}; {@code retry}, what is decided about attempts; {@code
 * credentials}, headers of attempts; {@code subchannel}, connections and picks; {@code call}, calls
 * and their attempts.
 *
 * <p>What does not belong here: sockets, frames, and anything of the server.
 */
@NullMarked
package dev.gannet.client;

import org.jspecify.annotations.NullMarked;
