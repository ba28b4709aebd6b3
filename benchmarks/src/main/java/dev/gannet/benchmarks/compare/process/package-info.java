/**
 * The compared programs as separate processes, and the statistics that the operating system and the
 * programs report.
 *
 * <p>Their workloads do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.process;

import org.jspecify.annotations.NullMarked;
