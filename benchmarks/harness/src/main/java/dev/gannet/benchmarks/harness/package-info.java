/**
 * Code that all measured programs share, for any library: the clock of a round, the pace of its
 * calls, and the messages between program and orchestrator.
 *
 * <p>This package must not use any gRPC library, because programs of other implementations link it.
 */
@NullMarked
package dev.gannet.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
