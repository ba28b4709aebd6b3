/**
 * Load generators, servers to be loaded, and the comparison with other implementations.
 *
 * <p>A leaf: no other room imports it. It measures what users get, through the front door.
 */
@NullMarked
package dev.gannet.benchmarks;

import org.jspecify.annotations.NullMarked;
