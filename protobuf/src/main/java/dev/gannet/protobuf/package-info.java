/**
 * Protocol Buffers as messages: serializing, parsing, and the schema of a method.
 *
 * <p>Contains what generated code needs of protobuf-java. Does not belong here: calls, JSON, and
 * services that are defined in Protocol Buffers.
 */
@NullMarked
package dev.gannet.protobuf;

import org.jspecify.annotations.NullMarked;
