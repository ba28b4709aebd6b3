/**
 * Protocol Buffers as messages: how they are written and read, and what a method's schema is.
 *
 * <p>Here lives what generated code needs of protobuf-java. What does not belong here: calls, JSON,
 * and services that happen to be defined in Protocol Buffers.
 */
@NullMarked
package dev.gannet.protobuf;

import org.jspecify.annotations.NullMarked;
