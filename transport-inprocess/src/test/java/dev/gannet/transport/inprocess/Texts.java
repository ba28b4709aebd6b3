package dev.gannet.transport.inprocess;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Methods whose messages are texts. */
final class Texts {
  static final String SERVICE = "test.Texts";

  static final Utf8 IMMUTABLE = new Utf8(true);
  static final Utf8 WRITTEN = new Utf8(false);

  static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, IMMUTABLE);
  static final MethodDescriptor<String, String> BIDI = method(MethodType.BIDI_STREAMING, IMMUTABLE);
  static final MethodDescriptor<String, String> WRITTEN_UNARY = method(MethodType.UNARY, WRITTEN);

  private Texts() {}

  static MethodDescriptor<String, String> method(MethodType type, Marshaller<String> marshaller) {
    return MethodDescriptor.of(type, SERVICE + "/" + type, marshaller, marshaller);
  }

  /** UTF-8, with or without a word on whether texts change. */
  record Utf8(boolean hasImmutableMessages) implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      sink.reserve(bytes.length).put(bytes);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return StandardCharsets.UTF_8.decode(bytes).toString();
    }
  }
}
