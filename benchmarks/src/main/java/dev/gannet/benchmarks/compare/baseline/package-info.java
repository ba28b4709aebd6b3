/**
 * The build of another commit of this repository, to be measured beside the working tree.
 *
 * <p>Must not live here: what is measured.
 */
@NullMarked
package dev.gannet.benchmarks.compare.baseline;

import org.jspecify.annotations.NullMarked;
