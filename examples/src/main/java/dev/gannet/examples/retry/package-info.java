/** Calls that are tried again when a server fails. */
@NullMarked
package dev.gannet.examples.retry;

import org.jspecify.annotations.NullMarked;
