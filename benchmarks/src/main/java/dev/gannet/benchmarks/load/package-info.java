/**
 * Gannet under load: the benchmark service, and the loops that call it, through the front door.
 *
 * <p>Must not live here: command lines, and anything that knows of other libraries.
 */
@NullMarked
package dev.gannet.benchmarks.load;

import org.jspecify.annotations.NullMarked;
