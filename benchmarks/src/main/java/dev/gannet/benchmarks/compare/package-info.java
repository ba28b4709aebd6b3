/**
 * The command that compares implementations of gRPC: which programs are compared with which.
 *
 * <p>How a round is measured, and how results are written, does not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
