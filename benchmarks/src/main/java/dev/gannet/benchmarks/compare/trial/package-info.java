/**
 * Runs a workload against a contender, round by round.
 *
 * <p>Command lines and reports do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.trial;

import org.jspecify.annotations.NullMarked;
