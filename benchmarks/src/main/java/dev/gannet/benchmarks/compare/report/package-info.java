/**
 * What was found, written down: as a table, as JSON and as a page.
 *
 * <p>Must not live here: anything that measures or computes.
 */
@NullMarked
package dev.gannet.benchmarks.compare.report;

import org.jspecify.annotations.NullMarked;
