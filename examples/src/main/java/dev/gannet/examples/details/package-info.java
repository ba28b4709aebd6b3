/** Errors with details for programs: {@code google.rpc.Status}. */
@NullMarked
package dev.gannet.examples.details;

import org.jspecify.annotations.NullMarked;
