/**
 * Statistics over rounds: figures, medians, ratios, whether a rate is steady, and which program is
 * measured next.
 *
 * <p>Processes, clocks and files do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.statistics;

import org.jspecify.annotations.NullMarked;
