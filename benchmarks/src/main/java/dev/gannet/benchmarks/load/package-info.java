/**
 * Gannet under load: the benchmark service, and the loops that call it, using only the public API.
 *
 * <p>Command lines, and anything that knows other libraries, do not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.load;

import org.jspecify.annotations.NullMarked;
