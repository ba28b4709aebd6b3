/**
 * Programs to learn from, each as short as possible.
 *
 * <p>No other module depends on this one, and it uses the public API only.
 */
@NullMarked
package dev.gannet.examples;

import org.jspecify.annotations.NullMarked;
