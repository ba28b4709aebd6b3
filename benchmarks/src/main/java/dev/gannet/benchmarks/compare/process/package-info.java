/**
 * The compared programs as separate processes: as the operating system and they themselves report
 * on them.
 *
 * <p>Their workloads do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.process;

import org.jspecify.annotations.NullMarked;
