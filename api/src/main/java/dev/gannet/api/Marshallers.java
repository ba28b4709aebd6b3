package dev.gannet.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Marshallers of messages that need no library: raw bytes, and text. */
public final class Marshallers {
  private Marshallers() {}

  /**
   * Messages that are byte arrays: for proxies, and for messages that other code serializes. A sent
   * array is copied at once and may be changed afterwards.
   */
  public static Marshaller<byte[]> bytes() {
    return Bytes.ONLY;
  }

  /**
   * Text in UTF-8. Other bytes cannot be parsed, and an unpaired surrogate is sent as a question
   * mark.
   */
  public static Marshaller<String> utf8() {
    return Utf8.ONLY;
  }

  private enum Bytes implements Marshaller<byte[]> {
    ONLY;

    private static final byte[] NOTHING = {};

    @Override
    public void write(byte[] message, MessageSink sink) {
      sink.reserve(message.length).put(message);
    }

    @Override
    public byte[] parse(ByteBuffer bytes) {
      if (!bytes.hasRemaining()) {
        return NOTHING;
      }
      byte[] message = new byte[bytes.remaining()];
      bytes.get(message);
      return message;
    }
  }

  private enum Utf8 implements Marshaller<String> {
    ONLY;

    @Override
    public void write(String message, MessageSink sink) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      sink.reserve(bytes.length).put(bytes);
    }

    /**
     * The character with which decoders replace invalid UTF-8. A valid text may contain it, too.
     */
    private static final char REPLACEMENT = '\ufffd';

    /**
     * Decodes leniently in one pass. If the text contains the replacement character, decodes again
     * strictly, because it may hide invalid bytes.
     */
    @Override
    public String parse(ByteBuffer bytes) {
      String text = read(bytes.duplicate());
      if (text.indexOf(REPLACEMENT) >= 0) {
        text = readStrictly(bytes.duplicate());
      }
      bytes.position(bytes.limit());
      return text;
    }

    private static String read(ByteBuffer bytes) {
      int length = bytes.remaining();
      if (bytes.hasArray()) {
        int offset = bytes.arrayOffset() + bytes.position();
        return new String(bytes.array(), offset, length, StandardCharsets.UTF_8);
      }
      byte[] copy = new byte[length];
      bytes.get(copy);
      return new String(copy, StandardCharsets.UTF_8);
    }

    private static String readStrictly(ByteBuffer bytes) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("the message is not UTF-8", e);
      }
    }
  }
}
