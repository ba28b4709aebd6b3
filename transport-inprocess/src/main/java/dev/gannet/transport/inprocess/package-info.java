/**
 * Calls between clients and servers of one process: the same engines as on a network, messages
 * handed over as objects, no bytes and no threads of its own.
 *
 * <p>Users see {@link InProcessAddress} and {@link InProcessOptions}. What does not belong here:
 * anything that frames, encodes or encrypts.
 */
@NullMarked
package dev.gannet.transport.inprocess;

import org.jspecify.annotations.NullMarked;
