/**
 * Servers and clients that external suites connect to.
 *
 * <p>No other module depends on this one. Its tests include the architecture test, because it sees
 * every module.
 */
@NullMarked
package dev.gannet.conformance;

import org.jspecify.annotations.NullMarked;
