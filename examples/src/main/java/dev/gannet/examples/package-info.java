/**
 * Programs to learn from, each as short as the thing it shows.
 *
 * <p>A leaf: no other room imports it, and it uses what users have and nothing more.
 */
@NullMarked
package dev.gannet.examples;

import org.jspecify.annotations.NullMarked;
