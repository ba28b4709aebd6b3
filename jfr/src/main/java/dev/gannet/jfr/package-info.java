/**
 * Calls as events of the JDK Flight Recorder.
 *
 * <p>Does not belong here: other kinds of tracing, and events of anything below a call.
 */
@NullMarked
package dev.gannet.jfr;

import org.jspecify.annotations.NullMarked;
