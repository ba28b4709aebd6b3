/** A service that calls another one: deadline and cancellation are passed on. */
@NullMarked
package dev.gannet.examples.deadline;

import org.jspecify.annotations.NullMarked;
