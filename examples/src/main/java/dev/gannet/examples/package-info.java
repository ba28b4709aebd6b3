/**
 * Programs to learn from, each as short as possible.
 *
 * <p>No other module depends on this one, and it uses only what users have.
 */
@NullMarked
package dev.gannet.examples;

import org.jspecify.annotations.NullMarked;
