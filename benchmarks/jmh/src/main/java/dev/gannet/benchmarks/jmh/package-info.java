/**
 * Micro-benchmarks: single modules, measured by JMH next to other libraries that do the same work
 * on the same bytes.
 *
 * <p>Whole programs do not belong here; the load generators compare those.
 */
@NullMarked
package dev.gannet.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
