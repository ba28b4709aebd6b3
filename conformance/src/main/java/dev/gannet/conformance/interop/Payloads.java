package dev.gannet.conformance.interop;

import com.google.protobuf.ByteString;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.Payload;

/** The payloads of messages of the interop tests. */
final class Payloads {
  /** The longest message that both sides accept: enough for the 10 MiB of very_large_request. */
  static final int MAX_MESSAGE_BYTES = 16 << 20;

  private Payloads() {}

  /** A payload of this many zero bytes. */
  static Payload zeros(int sizeBytes) {
    return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[sizeBytes])).build();
  }

  static BoolValue bool(boolean value) {
    return BoolValue.newBuilder().setValue(value).build();
  }
}
