/**
 * The commands of {@code ./gannet} that are made for users.
 *
 * <p>No other module depends on this one. Programs for external suites or for measuring are in
 * conformance and benchmarks.
 */
@NullMarked
package dev.gannet.cli;

import org.jspecify.annotations.NullMarked;
