/**
 * Calls between clients and servers of one process: the same engines as on a network, but messages
 * are passed as objects, without bytes and without own threads.
 *
 * <p>Users see {@link InProcessAddress} and {@link InProcessOptions}. Does not belong here:
 * framing, encoding, encryption.
 */
@NullMarked
package dev.gannet.transport.inprocess;

import org.jspecify.annotations.NullMarked;
