/**
 * The commands that fuzz Gannet: the list of targets, and how the fuzzer is run on them.
 *
 * <p>What a target does with an input is in {@code targets}.
 */
@NullMarked
package dev.gannet.fuzz;

import org.jspecify.annotations.NullMarked;
