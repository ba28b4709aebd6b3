/** Health checks and reflection for the operators of a server. */
@NullMarked
package dev.gannet.examples.operations;

import org.jspecify.annotations.NullMarked;
