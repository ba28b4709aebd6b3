/**
 * Calls as events of the JDK Flight Recorder.
 *
 * <p>What does not belong here: other ways to see calls, and events of what is below a call.
 */
@NullMarked
package dev.gannet.jfr;

import org.jspecify.annotations.NullMarked;
