/**
 * The basic types of HTTP/2 (RFC 9113) that all packages of this module share: error codes,
 * violations, roles, limits.
 *
 * <p>The module does no I/O: bytes and a time go in, events and bytes to send come out. It contains
 * no socket, clock, thread, lock or log, and nothing that a peer sends makes it throw.
 */
@NullMarked
package dev.gannet.http2;

import org.jspecify.annotations.NullMarked;
