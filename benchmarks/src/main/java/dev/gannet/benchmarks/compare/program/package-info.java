/**
 * Gannet's programs, and the floor's, as they are compared: each the {@code main} of a process.
 *
 * <p>Must not live here: the orchestrator.
 */
@NullMarked
package dev.gannet.benchmarks.compare.program;

import org.jspecify.annotations.NullMarked;
