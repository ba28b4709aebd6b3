/**
 * One stream: its state (RFC 9113 §5.1) and its windows (§6.9).
 *
 * <p>Values and rules for one stream at a time; tables of streams and frames on the wire are
 * elsewhere.
 */
@NullMarked
package dev.gannet.http2.stream;

import org.jspecify.annotations.NullMarked;
