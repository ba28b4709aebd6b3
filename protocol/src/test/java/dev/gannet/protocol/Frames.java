package dev.gannet.protocol;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Framed messages as the tests want them, spelled apart from the code under test. */
final class Frames {
  /** Messages that are bytes. */
  record Bytes() implements Marshaller<byte[]> {
    @Override
    public void write(byte[] message, MessageSink sink) {
      sink.reserve(message.length).put(message);
    }

    @Override
    public byte[] parse(ByteBuffer bytes) {
      byte[] message = new byte[bytes.remaining()];
      bytes.get(message);
      return message;
    }
  }

  /** Keeps what it is shown, decoded if it is no longer than that. */
  record Received(List<byte[]> messages, List<Integer> wireBytes, int limit)
      implements Deframer.Receiver {
    Received() {
      this(MessageFrame.MAX_MESSAGE_BYTES);
    }

    Received(int limit) {
      this(new ArrayList<>(), new ArrayList<>(), limit);
    }

    @Override
    public void message(ByteBuffer bytes, Deframer.Ownership ownership, MessageEncoding encoding) {
      wireBytes.add(MessageFrame.PREFIX_BYTES + bytes.remaining());
      messages.add(
          BYTES.parse(
              encoding.decode(
                  bytes,
                  limit,
                  MessageEncoding.ANY_RATIO,
                  MessageSizeLimit.OF_RECEIVED_REQUESTS,
                  ArraySource.HEAP)));
    }

    byte[][] all() {
      return messages.toArray(byte[][]::new);
    }
  }

  static final Bytes BYTES = new Bytes();

  private Frames() {}

  static byte[] framed(int flag, byte... message) {
    return prefixed(flag, message.length, message);
  }

  static byte[] prefixed(int flag, int length, byte... rest) {
    return ByteBuffer.allocate(5 + rest.length).put((byte) flag).putInt(length).put(rest).array();
  }

  static byte[] joined(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  static byte[] gzip(byte[] message) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  /** Bytes that all differ from their neighbours. */
  static byte[] counting(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7 + 1);
    }
    return bytes;
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
