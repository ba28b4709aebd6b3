/**
 * Load generators, servers for load tests, and the comparison with other implementations.
 *
 * <p>No other module depends on this one. It measures what users get, using only the public API.
 */
@NullMarked
package dev.gannet.benchmarks;

import org.jspecify.annotations.NullMarked;
