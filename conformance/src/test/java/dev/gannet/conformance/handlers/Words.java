package dev.gannet.conformance.handlers;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages that are plain text; some of them may be unreadable. */
record Words(boolean picky) implements Marshaller<String> {
  /** What a picky reader cannot read begins with this. */
  static final String UNPARSABLE = "garbage";

  /** What nobody can write. */
  static final String UNWRITABLE = "unwritable";

  @Override
  public void write(String message, MessageSink sink) {
    if (message.equals(UNWRITABLE)) {
      throw new IllegalArgumentException(message);
    }
    byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
    sink.reserve(bytes.length).put(bytes);
  }

  @Override
  public String parse(ByteBuffer bytes) {
    String text = StandardCharsets.US_ASCII.decode(bytes).toString();
    if (picky && text.startsWith(UNPARSABLE)) {
      throw new IllegalArgumentException(text.substring(0, UNPARSABLE.length()));
    }
    return text;
  }
}
