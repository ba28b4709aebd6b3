/** A service with a method of each kind, generated from {@code route_guide.proto}, and a client. */
@NullMarked
package dev.gannet.examples.routeguide;

import org.jspecify.annotations.NullMarked;
