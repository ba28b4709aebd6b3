/** Starts programs as separate processes, and ends them. What the programs do is elsewhere. */
@NullMarked
package dev.gannet.conformance.process;

import org.jspecify.annotations.NullMarked;
