/**
 * The commands that fuzz Gannet: which targets there are, and how the fuzzer is run on them.
 *
 * <p>Must not live here: what a target does with an input, which is in {@code target}.
 */
@NullMarked
package dev.gannet.fuzz;

import org.jspecify.annotations.NullMarked;
