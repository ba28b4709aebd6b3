/**
 * The command that compares implementations of gRPC: what is compared with what.
 *
 * <p>Must not live here: how a round is measured, and how its figures are written down.
 */
@NullMarked
package dev.gannet.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
