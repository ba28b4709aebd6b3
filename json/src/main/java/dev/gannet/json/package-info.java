/**
 * Protocol Buffers messages as JSON, by protobuf-java-util.
 *
 * <p>Does not belong here: other forms of JSON, and calls over anything but gRPC.
 */
@NullMarked
package dev.gannet.json;

import org.jspecify.annotations.NullMarked;
