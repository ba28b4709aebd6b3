/**
 * The server and its engine: it finds the method of a call, runs its handler, and determines how
 * calls and the server end.
 *
 * <p>Does not belong here: sockets, frames, and anything of the client.
 */
@NullMarked
package dev.gannet.server;

import org.jspecify.annotations.NullMarked;
