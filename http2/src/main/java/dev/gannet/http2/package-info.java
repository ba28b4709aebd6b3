/**
 * The words of HTTP/2 (RFC 9113) that all rooms of this module share: error codes, violations,
 * roles, limits.
 *
 * <p>The module is pure state: bytes and a time go in, what happened and bytes to send come out. No
 * socket, clock, thread, lock or log lives here, and nothing that a peer sends makes it throw.
 */
@NullMarked
package dev.gannet.http2;

import org.jspecify.annotations.NullMarked;
