/**
 * Creates initial inputs: a proxy that records what clients and servers send to each other, and the
 * parts of it that the targets can use.
 *
 * <p>Sockets and threads are allowed here, and nowhere else in this module.
 */
@NullMarked
package dev.gannet.fuzz.record;

import org.jspecify.annotations.NullMarked;
