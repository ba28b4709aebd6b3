/**
 * Servers and clients that external test suites connect to, and long-running tests.
 *
 * <p>No other module depends on this one.
 */
@NullMarked
package dev.gannet.conformance;

import org.jspecify.annotations.NullMarked;
