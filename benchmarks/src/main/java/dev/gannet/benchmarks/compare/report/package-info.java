/**
 * Writes the results: as a table, as JSON and as a page.
 *
 * <p>Measuring and computing do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.report;

import org.jspecify.annotations.NullMarked;
