/**
 * Calls as events of the JDK Flight Recorder, and counters of servers and channels as periodic
 * events.
 *
 * <p>Does not belong here: other kinds of tracing.
 */
@NullMarked
package dev.gannet.jfr;

import org.jspecify.annotations.NullMarked;
