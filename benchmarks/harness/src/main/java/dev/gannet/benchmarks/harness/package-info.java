/**
 * What every measured program has in common, whatever library it measures: the clock of a round,
 * the pace of its calls, and what program and orchestrator say to each other.
 *
 * <p>Must not live here: a word of any gRPC library. Peers link this beside their own.
 */
@NullMarked
package dev.gannet.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
