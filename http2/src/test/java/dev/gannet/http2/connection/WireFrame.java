package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.hpack.HeaderList;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** A frame as RFC 9113 §4.1 and §6 lay it out, spelled here once more without the tested code. */
record WireFrame(int type, int flags, int streamId, ByteBuffer payload) {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 0x1;
  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int WITH_PRIORITY = 0x20;

  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;

  static final int LARGEST_WINDOW = Integer.MAX_VALUE;
  static final int HEADER_BYTES = 9;

  private static final List<String> NAMES =
      List.of(
          "DATA",
          "HEADERS",
          "PRIORITY",
          "RST_STREAM",
          "SETTINGS",
          "PUSH_PROMISE",
          "PING",
          "GOAWAY",
          "WINDOW_UPDATE",
          "CONTINUATION");
  private static final List<String> SETTING_NAMES =
      List.of(
          "setting 0",
          "HEADER_TABLE_SIZE",
          "ENABLE_PUSH",
          "MAX_CONCURRENT_STREAMS",
          "INITIAL_WINDOW_SIZE",
          "MAX_FRAME_SIZE",
          "MAX_HEADER_LIST_SIZE");
  private static final int SETTING_BYTES = 6;
  private static final int SHOWN_BYTES = 40;

  static WireFrame raw(int type, int flags, int streamId, byte[] payload) {
    return new WireFrame(type, flags, streamId, ByteBuffer.wrap(payload));
  }

  static WireFrame raw(int type, int flags, int streamId, int payloadBytes) {
    return raw(type, flags, streamId, new byte[payloadBytes]);
  }

  static WireFrame data(int streamId, String content, EndStream end) {
    return raw(DATA, flag(end), streamId, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  static WireFrame data(int streamId, int bytes, EndStream end) {
    return data(streamId, "d".repeat(bytes), end);
  }

  static WireFrame headers(int streamId, HeaderList list, EndStream end) {
    return raw(HEADERS, END_HEADERS | flag(end), streamId, Fields.block(list));
  }

  static WireFrame request(int streamId, EndStream end) {
    return headers(streamId, Fields.REQUEST, end);
  }

  static WireFrame response(int streamId, EndStream end) {
    return headers(streamId, Fields.RESPONSE, end);
  }

  static WireFrame trailers(int streamId) {
    return headers(streamId, Fields.TRAILERS, EndStream.YES);
  }

  static WireFrame rstStream(int streamId, ErrorCode code) {
    return raw(RST_STREAM, 0, streamId, ints(code.value()));
  }

  static WireFrame settings(int... idsAndValues) {
    ByteBuffer payload = ByteBuffer.allocate(idsAndValues.length * 3);
    for (int i = 0; i < idsAndValues.length; i += 2) {
      payload.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
    }
    return raw(SETTINGS, 0, 0, payload.array());
  }

  static WireFrame settingsAck() {
    return raw(SETTINGS, ACK, 0, 0);
  }

  static WireFrame ping(long opaque) {
    return raw(PING, 0, 0, ByteBuffer.allocate(8).putLong(opaque).array());
  }

  static WireFrame pingAck(long opaque) {
    return raw(PING, ACK, 0, ByteBuffer.allocate(8).putLong(opaque).array());
  }

  static WireFrame goAway(int lastStreamId, ErrorCode code) {
    return raw(GOAWAY, 0, 0, ints(lastStreamId, code.value()));
  }

  static WireFrame windowUpdate(int streamId, int increment) {
    return raw(WINDOW_UPDATE, 0, streamId, ints(increment));
  }

  static WireFrame priority(int streamId) {
    return raw(PRIORITY, 0, streamId, new byte[] {0, 0, 0, 0, 16});
  }

  /** The frame's octets with the pad length before them and that many zeros behind (§6.1). */
  WireFrame paddedBy(int octets) {
    ByteBuffer padded = ByteBuffer.allocate(1 + payload.remaining() + octets);
    padded.put((byte) octets).put(payload.duplicate());
    return raw(type, flags | PADDED, streamId, padded.array());
  }

  /** The frame with other flags. */
  WireFrame flagged(int otherFlags) {
    return new WireFrame(type, otherFlags, streamId, payload);
  }

  /** A header block cut into HEADERS and so many CONTINUATIONs. */
  WireFrame[] inFragments(int continuations) {
    byte[] block = payloadOctets();
    WireFrame[] frames = new WireFrame[continuations + 1];
    int at = 0;
    for (int i = 0; i <= continuations; i++) {
      int end = i == continuations ? block.length : at + block.length / (continuations + 1);
      byte[] fragment = Arrays.copyOfRange(block, at, end);
      int last = i == continuations ? END_HEADERS : 0;
      frames[i] =
          i == 0
              ? raw(HEADERS, (flags & ~END_HEADERS) | last, streamId, fragment)
              : raw(CONTINUATION, last, streamId, fragment);
      at = end;
    }
    return frames;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  int payloadBytes() {
    return payload.remaining();
  }

  byte[] payloadOctets() {
    byte[] octets = new byte[payload.remaining()];
    payload.duplicate().get(octets);
    return octets;
  }

  int intAt(int offset) {
    return payload.getInt(payload.position() + offset);
  }

  /** The frame as octets. */
  byte[] octets() {
    ByteBuffer octets = ByteBuffer.allocate(HEADER_BYTES + payload.remaining());
    octets.put((byte) (payload.remaining() >>> 16)).putShort((short) payload.remaining());
    octets.put((byte) type).put((byte) flags).putInt(streamId).put(payload.duplicate());
    return octets.array();
  }

  static byte[] octets(WireFrame... frames) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    for (WireFrame frame : frames) {
      octets.writeBytes(frame.octets());
    }
    return octets.toByteArray();
  }

  private static int flag(EndStream end) {
    return end == EndStream.YES ? END_STREAM : 0;
  }

  private static byte[] ints(int... values) {
    ByteBuffer octets = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      octets.putInt(value);
    }
    return octets.array();
  }

  @Override
  public String toString() {
    String name = type < NAMES.size() ? NAMES.get(type) : "type " + type;
    return "%s stream %d flags %x, %s".formatted(name, streamId, flags, content());
  }

  private String content() {
    if (type == WINDOW_UPDATE && payloadBytes() == Integer.BYTES) {
      return "increment " + intAt(0);
    }
    if (type == RST_STREAM && payloadBytes() == Integer.BYTES) {
      return code(intAt(0));
    }
    if (type == GOAWAY && payloadBytes() >= 2 * Integer.BYTES) {
      return "last stream %d, %s".formatted(intAt(0), code(intAt(Integer.BYTES)));
    }
    if (type == SETTINGS && payloadBytes() % SETTING_BYTES == 0) {
      return IntStream.range(0, payloadBytes() / SETTING_BYTES)
          .mapToObj(i -> setting(i * SETTING_BYTES))
          .toList()
          .toString();
    }
    byte[] shown = new byte[Math.min(payloadBytes(), SHOWN_BYTES)];
    payload.duplicate().get(shown);
    return "%d: %s".formatted(payloadBytes(), HexFormat.of().formatHex(shown));
  }

  private static String code(int value) {
    ErrorCode code = ErrorCode.of(value);
    return code.value() == value ? code.toString() : "code " + value;
  }

  private String setting(int offset) {
    int id = payload.getShort(payload.position() + offset) & 0xffff;
    String name = id < SETTING_NAMES.size() ? SETTING_NAMES.get(id) : "setting " + id;
    return name + "=" + Integer.toUnsignedString(intAt(offset + Short.BYTES));
  }
}
