/**
 * Micro-benchmarks: single rooms of the house, measured by JMH beside others that do the same work
 * on the same bytes.
 *
 * <p>Must not live here: whole programs; those are compared by the load generators.
 */
@NullMarked
package dev.gannet.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
