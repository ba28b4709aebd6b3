/**
 * The commands of {@code ./gannet} that are made for users.
 *
 * <p>A leaf: no other room imports it. Programs that exist for external suites or for measuring
 * live in conformance and benchmarks.
 */
@NullMarked
package dev.gannet.cli;

import org.jspecify.annotations.NullMarked;
