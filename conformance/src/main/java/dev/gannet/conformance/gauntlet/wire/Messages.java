package dev.gannet.conformance.gauntlet.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * gRPC messages as octets: flag, length, and the few fields of the interop tests' messages that
 * attacks need, written by hand.
 */
public final class Messages {
  private static final int PREFIX_BYTES = 5;
  private static final int COMPRESSED = 1;
  private static final int RESPONSE_SIZE = 2 << 3; // SimpleRequest.response_size, a varint
  private static final int RESPONSE_PARAMETERS = (2 << 3) | 2; // of StreamingOutputCallRequest
  private static final int SIZE = 1 << 3; // ResponseParameters.size, a varint

  private Messages() {}

  /** A message without any field. */
  public static byte[] empty() {
    return framed(0, new byte[0]);
  }

  /** A unary request for a response of that many bytes. */
  public static byte[] wantingOne(int responseBytes) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(RESPONSE_SIZE);
    varint(message, responseBytes);
    return framed(0, message.toByteArray());
  }

  /** A request for a stream of {@code count} responses of that many bytes each. */
  public static byte[] wantingMany(int count, int responseBytes) {
    ByteArrayOutputStream parameters = new ByteArrayOutputStream();
    parameters.write(SIZE);
    varint(parameters, responseBytes);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      message.write(RESPONSE_PARAMETERS);
      varint(message, parameters.size());
      message.writeBytes(parameters.toByteArray());
    }
    return framed(0, message.toByteArray());
  }

  /** The prefix of a message that claims to be that long, whatever comes behind it. */
  public static byte[] claiming(int lengthBytes) {
    return ByteBuffer.allocate(PREFIX_BYTES).put((byte) 0).putInt(lengthBytes).array();
  }

  /** A compressed message that becomes that many zero bytes. */
  public static byte[] gzippedZeros(int sizeBytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(new byte[sizeBytes]);
    } catch (IOException e) {
      throw new UncheckedIOException("no file, no failure", e);
    }
    return framed(COMPRESSED, compressed.toByteArray());
  }

  /** Likewise, but its end says that it holds nothing. */
  public static byte[] gzippedZerosDenied(int sizeBytes) {
    byte[] message = gzippedZeros(sizeBytes);
    Arrays.fill(message, message.length - Integer.BYTES, message.length, (byte) 0);
    return message;
  }

  private static byte[] framed(int flag, byte[] message) {
    return ByteBuffer.allocate(PREFIX_BYTES + message.length)
        .put((byte) flag)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int rest = value;
    while (rest >= 0x80) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
