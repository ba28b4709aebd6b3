/**
 * Marshallers for protobuf messages, and the error details that travel as protobuf messages.
 *
 * <p>The only room between user and wire that says {@code com.google.protobuf}; engines and
 * transports know marshallers alone.
 */
@NullMarked
package dev.gannet.protobuf;

import org.jspecify.annotations.NullMarked;
