/**
 * How a workload is put upon a contender, round by round.
 *
 * <p>Must not live here: command lines and reports.
 */
@NullMarked
package dev.gannet.benchmarks.compare.trial;

import org.jspecify.annotations.NullMarked;
