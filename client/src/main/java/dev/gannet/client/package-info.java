/**
 * The channel and its engine: where a target's server is, the connection to it, and the calls that
 * wait for one.
 *
 * <p>What does not belong here: sockets, frames, and anything of the server.
 */
@NullMarked
package dev.gannet.client;

import org.jspecify.annotations.NullMarked;
