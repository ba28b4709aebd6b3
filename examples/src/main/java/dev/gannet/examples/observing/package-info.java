/** An access log and numbers of all calls, by tracers. */
@NullMarked
package dev.gannet.examples.observing;

import org.jspecify.annotations.NullMarked;
