/**
 * Time in a connection: what comes due and when, keepalive, and PINGs that come too often.
 *
 * <p>Pure state, as all of this module: whoever calls brings the time, in nanoseconds of any steady
 * origin. No clock and no frame lives here.
 */
@NullMarked
package dev.gannet.http2.time;

import org.jspecify.annotations.NullMarked;
