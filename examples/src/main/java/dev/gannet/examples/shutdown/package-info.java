/** A server that stops without losing a call. */
@NullMarked
package dev.gannet.examples.shutdown;

import org.jspecify.annotations.NullMarked;
