/**
 * The programs that are compared, in processes of their own, as the operating system and they
 * themselves see them.
 *
 * <p>Must not live here: what they are asked to do.
 */
@NullMarked
package dev.gannet.benchmarks.compare.process;

import org.jspecify.annotations.NullMarked;
