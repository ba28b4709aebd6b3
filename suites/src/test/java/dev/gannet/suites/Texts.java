package dev.gannet.suites;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages that are plain text, and methods of one service that exchange them. */
final class Texts implements Marshaller<String> {
  static final String SERVICE = "test.Texts";

  /** What no text may begin with: it makes the marshaller throw, at either end. */
  static final String UNPARSABLE = "unparsable";

  /** What makes the marshaller fail as a recursion without end does. */
  static final String BOTTOMLESS = "bottomless";

  static final String UNWRITABLE = "unwritable";

  /** What makes the marshaller throw an exception that it does not declare, as Kotlin's may. */
  static final String UNDECLARED = "undeclared";

  /** A format at whose name the marshaller throws. */
  static final String UNKNOWN_FORMAT = "unheard-of";

  private static final Texts TEXTS = new Texts();

  static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
  static final MethodDescriptor<String, String> CLIENT_STREAMING =
      method(MethodType.CLIENT_STREAMING, "ClientStreaming");
  static final MethodDescriptor<String, String> SERVER_STREAMING =
      method(MethodType.SERVER_STREAMING, "ServerStreaming");
  static final MethodDescriptor<String, String> BIDI = method(MethodType.BIDI_STREAMING, "Bidi");

  static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(type, SERVICE + "/" + name, TEXTS, TEXTS);
  }

  /** The same method as its other end might know it. */
  static MethodDescriptor<String, String> asIf(
      MethodType type, MethodDescriptor<String, String> method) {
    return method(type, method.bareMethodName());
  }

  static String ofLength(int length) {
    return "m".repeat(length);
  }

  @Override
  public void write(String message, MessageSink sink) {
    if (message.startsWith(UNWRITABLE)) {
      throw new IllegalArgumentException(message);
    }
    if (message.startsWith(UNDECLARED)) {
      Texts.<RuntimeException>sneak(new IOException(message));
    }
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    sink.reserve(bytes.length).put(bytes);
  }

  @SuppressWarnings("unchecked") // which is how it gets past the compiler
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Override
  public boolean reads(String format) {
    if (format.equals(UNKNOWN_FORMAT)) {
      throw new IllegalArgumentException(format);
    }
    return true;
  }

  @Override
  public String parse(ByteBuffer bytes) {
    String text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
    if (text.startsWith(UNPARSABLE)) {
      throw new IllegalArgumentException(text);
    }
    if (text.startsWith(BOTTOMLESS)) {
      throw new StackOverflowError();
    }
    return text;
  }
}
