/** A service that calls another: deadline and cancellation go along. */
@NullMarked
package dev.gannet.examples.deadline;

import org.jspecify.annotations.NullMarked;
