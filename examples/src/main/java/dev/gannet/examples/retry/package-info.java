/** Calls that are retried when a server fails. */
@NullMarked
package dev.gannet.examples.retry;

import org.jspecify.annotations.NullMarked;
