/**
 * Protocol Buffers messages as JSON, by protobuf-java-util.
 *
 * <p>What does not belong here: JSON of other shapes, and calls over anything but gRPC.
 */
@NullMarked
package dev.gannet.json;

import org.jspecify.annotations.NullMarked;
