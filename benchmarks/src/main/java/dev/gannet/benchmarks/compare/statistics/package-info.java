/**
 * What rounds make of each other: figures, medians, ratios, when a rate is steady, and who is next.
 *
 * <p>Must not live here: processes, clocks and files.
 */
@NullMarked
package dev.gannet.benchmarks.compare.statistics;

import org.jspecify.annotations.NullMarked;
