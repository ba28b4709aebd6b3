/** Failures that say to programs what is wrong: {@code google.rpc.Status} and its details. */
@NullMarked
package dev.gannet.examples.details;

import org.jspecify.annotations.NullMarked;
