package dev.gannet.conformance.gauntlet.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames as octets (RFC 9113 §4, §6). Nothing is checked, because attackers may write anything. */
public final class Frames {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int PRIORITY = 2;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  /** No flags. */
  public static final int NONE = 0;

  /** The flag of SETTINGS and PING. */
  public static final int ACK = 1;

  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;

  /** The parameters of SETTINGS, by their numbers in RFC 9113 §6.5.2. */
  public static final int HEADER_TABLE_SIZE = 1;

  public static final int INITIAL_WINDOW_SIZE = 4;
  public static final int MAX_HEADER_LIST_SIZE = 6;

  public static final int LARGEST_WINDOW = Integer.MAX_VALUE;

  /** The payload size that every peer accepts (RFC 9113 §4.2). */
  public static final int MAX_PAYLOAD_BYTES = 1 << 14;

  /** The code of an RST_STREAM that cancels a call (RFC 9113 §7). */
  public static final int CANCEL = 8;

  static final int HEADER_BYTES = 9;

  private static final int SETTING_BYTES = 6;
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private Frames() {}

  /** The 24 octets of the client's preface. */
  public static byte[] preface() {
    return PREFACE.clone();
  }

  /** Any frame. */
  public static byte[] frame(int type, int flags, int streamId, byte... payload) {
    return ByteBuffer.allocate(HEADER_BYTES + payload.length)
        .putShort((short) (payload.length >>> Byte.SIZE))
        .put((byte) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(streamId)
        .put(payload)
        .array();
  }

  public static byte[] headers(int streamId, int flags, byte[] block) {
    return frame(HEADERS, flags, streamId, block);
  }

  public static byte[] continuation(int streamId, int flags, byte[] fragment) {
    return frame(CONTINUATION, flags, streamId, fragment);
  }

  public static byte[] data(int streamId, int flags, byte... content) {
    return frame(DATA, flags, streamId, content);
  }

  public static byte[] rstStream(int streamId) {
    return frame(RST_STREAM, NONE, streamId, ints(CANCEL));
  }

  /** SETTINGS with these parameters: a number, its value, the next number, and so on. */
  public static byte[] settings(int... numbersAndValues) {
    ByteBuffer payload = ByteBuffer.allocate(numbersAndValues.length / 2 * SETTING_BYTES);
    for (int i = 0; i < numbersAndValues.length; i += 2) {
      payload.putShort((short) numbersAndValues[i]).putInt(numbersAndValues[i + 1]);
    }
    return frame(SETTINGS, NONE, 0, payload.array());
  }

  public static byte[] settingsAck() {
    return frame(SETTINGS, ACK, 0);
  }

  public static byte[] ping(long content) {
    return frame(PING, NONE, 0, ByteBuffer.allocate(Long.BYTES).putLong(content).array());
  }

  public static byte[] windowUpdate(int streamId, int increment) {
    return frame(WINDOW_UPDATE, NONE, streamId, ints(increment));
  }

  /** PRIORITY as in RFC 7540 §6.3. */
  public static byte[] priority(int streamId, int parentId, int weight) {
    byte[] payload =
        ByteBuffer.allocate(Integer.BYTES + 1).putInt(parentId).put((byte) weight).array();
    return frame(PRIORITY, NONE, streamId, payload);
  }

  private static byte[] ints(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }
}
