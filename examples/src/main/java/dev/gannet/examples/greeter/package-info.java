/**
 * The greeter: one service with a method of each kind, generated from {@code greeter.proto}, and
 * one implementation.
 *
 * <p>What does not belong here: anything that another example needs too.
 */
@NullMarked
package dev.gannet.examples.greeter;

import org.jspecify.annotations.NullMarked;
