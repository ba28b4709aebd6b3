/**
 * The compared programs of Gannet, and the floor, a minimal server directly on Netty: each is the
 * {@code main} of a process.
 *
 * <p>The orchestrator does not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.program;

import org.jspecify.annotations.NullMarked;
