/** An access log and counters of all calls, with tracers. */
@NullMarked
package dev.gannet.examples.observing;

import org.jspecify.annotations.NullMarked;
