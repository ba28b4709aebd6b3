package dev.gannet.fuzz.targets;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Messages that are bytes, and methods of all four kinds for them, with the names of gRPC's interop
 * tests: so recorded calls of any gRPC client call them.
 */
final class Octets implements Marshaller<byte[]> {
  static final String SERVICE = "grpc.testing.TestService";

  /** The marshaller throws if a message begins with this. */
  static final int UNPARSABLE = 0xee;

  private static final Octets OCTETS = new Octets();

  static final List<MethodDescriptor<byte[], byte[]>> METHODS =
      List.of(
          method(MethodType.UNARY, "UnaryCall"),
          method(MethodType.CLIENT_STREAMING, "StreamingInputCall"),
          method(MethodType.SERVER_STREAMING, "StreamingOutputCall"),
          method(MethodType.BIDI_STREAMING, "FullDuplexCall"),
          method(MethodType.UNARY, "EmptyCall"));

  private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
    return MethodDescriptor.of(type, SERVICE + "/" + name, OCTETS, OCTETS);
  }

  @Override
  public void write(byte[] message, MessageSink sink) {
    sink.reserve(message.length).put(message);
  }

  @Override
  public byte[] parse(ByteBuffer bytes) {
    byte[] message = new byte[bytes.remaining()];
    bytes.get(message);
    if (message.length > 0 && (message[0] & 0xff) == UNPARSABLE) {
      throw new IllegalArgumentException("a message that must not be parsed");
    }
    return message;
  }
}
