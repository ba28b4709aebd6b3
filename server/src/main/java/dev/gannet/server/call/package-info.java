/**
 * A call of the server from its headers to its end: the method that begins it, where its handler
 * runs, what the handler sends and receives, and how the call ends.
 *
 * <p>What does not belong here: which method a path names, which calls are refused, and
 * connections.
 */
@NullMarked
package dev.gannet.server.call;

import org.jspecify.annotations.NullMarked;
