package dev.gannet.conformance.gauntlet.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
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
  private static final int PAYLOAD = (3 << 3) | 2; // of SimpleRequest
  private static final int BODY = (2 << 3) | 2; // Payload.body
  private static final byte UNKNOWN_EMPTY = (15 << 3) | 2; // an empty field of bytes
  private static final int FIRST_UNKNOWN = 1000;
  private static final int MAX_FIELD = 6;
  private static final int SIZE = 1 << 3; // ResponseParameters.size, a varint

  private Messages() {}

  /** A message without any field. */
  public static byte[] empty() {
    return framed(0, new byte[0]);
  }

  /** A unary request for a response of this many bytes. */
  public static byte[] wantingOne(int responseBytes) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(RESPONSE_SIZE);
    varint(message, responseBytes);
    return framed(0, message.toByteArray());
  }

  /** A request for a stream of {@code count} responses of this many bytes each. */
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

  /** The prefix of a message that announces this length, whatever follows. */
  public static byte[] claiming(int lengthBytes) {
    return ByteBuffer.allocate(PREFIX_BYTES).put((byte) 0).putInt(lengthBytes).array();
  }

  /** A compressed message that decompresses to this many zero bytes. */
  public static byte[] gzippedZeros(int sizeBytes) {
    return framed(COMPRESSED, gzip(new byte[sizeBytes]));
  }

  /**
   * A compressed unary request of about this many bytes, which are zeros except for the first of
   * them.
   *
   * @param randomBytes the number of bytes that cannot be compressed
   */
  public static byte[] gzippedPayload(int sizeBytes, int randomBytes) {
    return framed(COMPRESSED, gzip(payload(sizeBytes, randomBytes)));
  }

  /** The same after this many empty gzip members. */
  public static byte[] gzippedBehindMembers(int sizeBytes, int members) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] empty = gzip(new byte[0]);
    for (int i = 0; i < members; i++) {
      all.writeBytes(empty);
    }
    all.writeBytes(gzip(payload(sizeBytes, 0)));
    return framed(COMPRESSED, all.toByteArray());
  }

  /** A compressed message of unknown fields, of two bytes each and all the same. */
  public static byte[] gzippedFields(int sizeBytes) {
    byte[] fields = new byte[sizeBytes];
    for (int at = 0; at < sizeBytes; at += 2) {
      fields[at] = UNKNOWN_EMPTY;
    }
    return framed(COMPRESSED, gzip(fields));
  }

  /** A message of unknown fields, of a few bytes each and all different. */
  public static byte[] strangeFields(int sizeBytes) {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    for (int number = FIRST_UNKNOWN; fields.size() + MAX_FIELD <= sizeBytes; number++) {
      varint(fields, number << 3);
      fields.write(1);
    }
    return framed(0, fields.toByteArray());
  }

  private static byte[] payload(int sizeBytes, int randomBytes) {
    byte[] body = new byte[randomBytes];
    new Random(1).nextBytes(body);
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(BODY);
    varint(payload, sizeBytes);
    payload.writeBytes(Arrays.copyOf(body, sizeBytes));
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(PAYLOAD);
    varint(message, payload.size());
    message.writeBytes(payload.toByteArray());
    return message.toByteArray();
  }

  private static byte[] gzip(byte[] message) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(message);
    } catch (IOException e) {
      throw new UncheckedIOException("no file, no failure", e);
    }
    return compressed.toByteArray();
  }

  /** Compressed zeros with a gzip trailer that declares a length of 0. */
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
