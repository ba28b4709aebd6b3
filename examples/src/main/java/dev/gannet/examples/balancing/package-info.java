/** One channel, several servers, each call to the next. */
@NullMarked
package dev.gannet.examples.balancing;

import org.jspecify.annotations.NullMarked;
