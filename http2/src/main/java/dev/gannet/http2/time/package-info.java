/**
 * Time in a connection: timers, keepalive, and PINGs that come too often.
 *
 * <p>Without I/O and without a clock: callers pass the time, in nanoseconds from any fixed origin.
 * Frames are elsewhere.
 */
@NullMarked
package dev.gannet.http2.time;

import org.jspecify.annotations.NullMarked;
