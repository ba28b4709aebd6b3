/**
 * What an application can plug in: a name resolver, a load-balancing policy and a message encoding
 * of its own.
 */
@NullMarked
package dev.gannet.examples.extending;

import org.jspecify.annotations.NullMarked;
