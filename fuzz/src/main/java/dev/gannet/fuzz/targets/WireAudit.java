package dev.gannet.fuzz.targets;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHandler;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what one of our ends says, and holds it to RFC 9113: frames in an order that their streams
 * allow, header blocks that can be decoded, and silence behind a GOAWAY that names an error.
 *
 * <pre>
 *   NEW ──HEADERS──► TALKING ──END_STREAM──► ENDED ──RST_STREAM──► RESET
 *    └──────────────────┴─────── RST_STREAM ──────────────────────────▲
 * </pre>
 */
final class WireAudit implements FrameHandler {
  private enum Life {
    NEW,
    TALKING,
    ENDED,
    RESET
  }

  private static final int MAX_TABLE_BYTES = 4 << 10;
  private static final int MAX_LIST_BYTES = 1 << 20;
  private static final int MAX_FIELDS = 10_000;

  private final HpackDecoder decoder =
      new HpackDecoder(MAX_TABLE_BYTES, MAX_LIST_BYTES, MAX_FIELDS);
  private final Map<Integer, Life> lives = new HashMap<>();
  private byte[] block = {};
  private int blockStreamId;
  private int blockFlags;
  private boolean anyFrame;
  private boolean silent;
  private int frames;
  private long dataBytes;

  /** The number of frames. */
  int frames() {
    return frames;
  }

  /** The number of bytes of DATA, including padding. */
  long dataBytes() {
    return dataBytes;
  }

  @Override
  public void onFrame(FrameHeader header, ByteBuffer payload) {
    onAny(header);
    int streamId = header.streamId();
    switch (header.type()) {
      case FrameType.HEADERS -> {
        Finding.unless(isIn(streamId, Life.NEW, Life.TALKING), "HEADERS on a stream that is over");
        block = new byte[0];
        blockStreamId = streamId;
        blockFlags = header.has(Flags.END_STREAM) ? Flags.END_STREAM : Flags.NONE;
        append(header, payload);
      }
      case FrameType.CONTINUATION -> append(header, payload);
      case FrameType.RST_STREAM -> {
        Finding.unless(lifeOf(streamId) != Life.RESET, "a stream is reset twice");
        lives.put(streamId, Life.RESET);
      }
      case FrameType.WINDOW_UPDATE ->
          Finding.unless(
              streamId == 0 || lifeOf(streamId) != Life.RESET, "a window of a reset stream grows");
      case FrameType.GOAWAY -> {
        payload.getInt();
        silent = payload.getInt() != ErrorCode.NO_ERROR.value();
      }
      case FrameType.SETTINGS, FrameType.PING -> Finding.unless(streamId == 0, "not on stream 0");
      default -> throw new Finding("a frame that we never send: type " + header.type());
    }
  }

  private void onAny(FrameHeader header) {
    Finding.unless(!silent, "a frame behind a GOAWAY with an error");
    boolean first = header.type() == FrameType.SETTINGS && !header.has(Flags.ACK);
    Finding.unless(anyFrame || first, "the first frame is not SETTINGS");
    boolean more = header.type() == FrameType.CONTINUATION;
    Finding.unless((blockStreamId != 0) == more, "a header block is torn");
    Finding.unless(!more || header.streamId() == blockStreamId, "blocks of two streams mix");
    anyFrame = true;
    frames++;
  }

  private void append(FrameHeader header, ByteBuffer payload) {
    byte[] fragment = new byte[payload.remaining()];
    payload.get(fragment);
    block = Bytes.join(block, fragment);
    if (header.has(Flags.END_HEADERS)) {
      int streamId = blockStreamId;
      blockStreamId = 0;
      onBlock(streamId);
    }
  }

  private void onBlock(int streamId) {
    if (!(decoder.decode(ByteBuffer.wrap(block)) instanceof HeaderList list)) {
      throw new Finding("a header block that we wrote cannot be decoded");
    }
    boolean first = lifeOf(streamId) == Life.NEW;
    boolean inFront = true;
    for (HeaderField field : list) {
      boolean pseudo = field.name().startsWith(":");
      Finding.unless(!pseudo || (first && inFront), "a pseudo-field out of its place");
      inFront = pseudo;
      checkField(field);
    }
    lives.put(streamId, Flags.has(blockFlags, Flags.END_STREAM) ? Life.ENDED : Life.TALKING);
  }

  /** RFC 9113 §8.2.1, except for fields that an application may have set. */
  private static void checkField(HeaderField field) {
    Finding.unless(!field.name().isEmpty(), "a field without a name");
    Finding.unless(
        field.name().chars().allMatch(c -> c > ' ' && c < 0x7f && (c < 'A' || c > 'Z')),
        "a field's name: " + field.name());
    Finding.unless(
        field.value().chars().allMatch(c -> c != 0 && c != '\r' && c != '\n'),
        "a field's value: " + field);
  }

  @Override
  public void onDataHeader(FrameHeader header) {
    onAny(header);
    Finding.unless(isIn(header.streamId(), Life.TALKING), "DATA on a stream that is not open");
    dataBytes += header.payloadBytes();
    if (header.has(Flags.END_STREAM)) {
      lives.put(header.streamId(), Life.ENDED);
    }
  }

  @Override
  public void onDataBytes(ByteBuffer piece) {}

  @Override
  public void onDataEnd() {}

  @Override
  public void onBroken(Violation violation) {
    throw new Finding("what was said is no HTTP/2: " + violation);
  }

  @Override
  public boolean wantsFrames() {
    return true;
  }

  private Life lifeOf(int streamId) {
    return lives.getOrDefault(streamId, Life.NEW);
  }

  private boolean isIn(int streamId, Life... wanted) {
    for (Life life : wanted) {
      if (lifeOf(streamId) == life) {
        return true;
      }
    }
    return false;
  }
}
