/**
 * The server and its engine: which method a call is for, where its handler runs, and how calls and
 * server end.
 *
 * <p>What does not belong here: sockets, frames, and anything of the client.
 */
@NullMarked
package dev.gannet.server;

import org.jspecify.annotations.NullMarked;
