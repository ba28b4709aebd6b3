/**
 * How first inputs are made: a proxy that keeps what clients and servers say to each other, and
 * what the targets can use of it.
 *
 * <p>Sockets and threads are allowed here, and nowhere else in this room.
 */
@NullMarked
package dev.gannet.fuzz.record;

import org.jspecify.annotations.NullMarked;
