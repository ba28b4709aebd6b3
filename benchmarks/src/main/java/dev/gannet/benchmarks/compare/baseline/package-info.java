/**
 * The build of another commit of this repository, which is measured next to the working tree.
 *
 * <p>Measuring does not belong here.
 */
@NullMarked
package dev.gannet.benchmarks.compare.baseline;

import org.jspecify.annotations.NullMarked;
