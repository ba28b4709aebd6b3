package dev.gannet.http2.frame;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits bytes into frames, in whatever pieces they arrive.
 *
 * <p>A frame that is complete in the buffer is passed on without copying. DATA is passed on as it
 * arrives. Other incomplete frames are kept until they are complete, in memory that grows with the
 * bytes received, not with the length that the frame claims.
 *
 * <pre>
 *  PREFACE ──24 octets──► HEADER ──9 octets──► PAYLOAD ─────────────► HEADER
 *  (server only)             └──type DATA──► [PAD_LENGTH] ► DATA ► PADDING ──┘
 * </pre>
 */
public final class FrameReader {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII); // RFC 9113 §3.4
  private static final int FIRST_KEPT_BYTES = 256;
  private static final byte[] NOTHING = {};

  private enum State {
    PREFACE,
    HEADER,
    PAYLOAD,
    PAD_LENGTH,
    DATA,
    PADDING,
    TORN
  }

  private final FrameHandler handler;
  private final int maxFrameBytes;
  private final FrameHeader header = new FrameHeader();
  private State state;
  private int prefaceSeen;
  private boolean anyFrame;
  private byte[] kept = NOTHING; // until a frame arrives in parts
  private int keptBytes;
  private int dataBytesLeft;
  private int paddingBytesLeft;

  public FrameReader(Role role, int maxFrameBytes, FrameHandler handler) {
    this.state = role == Role.SERVER ? State.PREFACE : State.HEADER;
    this.maxFrameBytes = maxFrameBytes;
    this.handler = handler;
  }

  /**
   * Reads the bytes for as long as the handler wants frames, and leaves the rest. An exception of
   * the handler is thrown on, and nothing is read from then on, because it is unknown how much of
   * the frame was processed.
   */
  public void read(ByteBuffer in) {
    int limit = in.limit();
    boolean torn = true;
    try {
      while (in.hasRemaining() && handler.wantsFrames()) {
        readSome(in);
      }
      torn = false;
    } finally {
      if (torn) {
        in.limit(limit).position(limit);
        keptBytes = 0;
        state = State.TORN;
      }
    }
  }

  private void readSome(ByteBuffer in) {
    switch (state) {
      case PREFACE -> readPreface(in);
      case HEADER -> readHeader(in);
      case PAYLOAD -> readPayload(in);
      case PAD_LENGTH -> readPadLength(in);
      case DATA -> readData(in);
      case PADDING -> readPadding(in);
      case TORN -> in.position(in.limit());
    }
  }

  /** Whether the client's preface has arrived completely; always true for a client. */
  public boolean isPastPreface() {
    return state != State.PREFACE;
  }

  /** How much of an incomplete frame is kept, in bytes. */
  public int keptBytes() {
    return keptBytes;
  }

  /** Whether a frame other than DATA has begun to arrive and is incomplete. */
  public boolean isInsideFrame() {
    return keptBytes > 0 || state == State.PAYLOAD;
  }

  private void readPreface(ByteBuffer in) {
    while (in.hasRemaining() && prefaceSeen < PREFACE.length) {
      int octet = in.get() & 0xff;
      if (octet != PREFACE[prefaceSeen]) {
        brokenPreface(octet, in);
        return;
      }
      prefaceSeen++;
    }
    if (prefaceSeen == PREFACE.length) {
      state = State.HEADER;
    }
  }

  private void brokenPreface(int octet, ByteBuffer in) {
    int first = prefaceSeen == 0 ? octet : PREFACE[0];
    int second = prefaceSeen == 0 && in.hasRemaining() ? in.get() & 0xff : octet;
    broken(
        ErrorCode.PROTOCOL_ERROR,
        ForeignProtocol.ofFirstOctets(first, second)
            .orElse("the connection does not begin with the HTTP/2 preface"));
  }

  private void readHeader(ByteBuffer in) {
    if (keptBytes == 0 && in.remaining() >= FrameHeader.BYTES) {
      header.set(in.getInt(), in.get(), in.getInt());
      onHeader(in);
    } else if (keepUntil(FrameHeader.BYTES, in)) {
      ByteBuffer whole = ByteBuffer.wrap(kept);
      header.set(whole.getInt(), whole.get(), whole.getInt());
      keptBytes = 0;
      onHeader(in);
    }
  }

  private void onHeader(ByteBuffer in) {
    int bytes = header.payloadBytes();
    if (bytes > maxFrameBytes) {
      brokenLength(bytes);
      return;
    }
    anyFrame = true;
    if (header.type() == FrameType.DATA) {
      onDataHeader();
    } else if (in.remaining() >= bytes) {
      showFrame(in, bytes);
    } else {
      state = State.PAYLOAD;
    }
  }

  /** The first bytes of a server of another protocol look like the length of a huge frame. */
  private void brokenLength(int bytes) {
    Optional<String> foreign =
        anyFrame
            ? Optional.empty()
            : ForeignProtocol.ofFirstOctets(bytes >>> 16, bytes >>> 8 & 0xff);
    broken(
        foreign.isPresent() ? ErrorCode.PROTOCOL_ERROR : ErrorCode.FRAME_SIZE_ERROR,
        foreign.orElse("a frame is longer than SETTINGS_MAX_FRAME_SIZE allows"));
  }

  private void showFrame(ByteBuffer in, int bytes) {
    int end = in.position() + bytes;
    int limit = in.limit();
    in.limit(end);
    handler.onFrame(header, in);
    in.limit(limit).position(end);
  }

  private void readPayload(ByteBuffer in) {
    if (keepUntil(header.payloadBytes(), in)) {
      ByteBuffer payload = ByteBuffer.wrap(kept, 0, keptBytes);
      keptBytes = 0;
      state = State.HEADER;
      handler.onFrame(header, payload);
      if (kept.length > FIRST_KEPT_BYTES) {
        kept = new byte[FIRST_KEPT_BYTES];
      }
    }
  }

  private void onDataHeader() {
    dataBytesLeft = header.payloadBytes();
    paddingBytesLeft = 0;
    boolean padded = header.has(Flags.PADDED);
    if (padded && dataBytesLeft == 0) {
      broken(ErrorCode.FRAME_SIZE_ERROR, "a padded DATA frame has no pad length");
      return;
    }
    handler.onDataHeader(header);
    state = padded ? State.PAD_LENGTH : State.DATA;
    endDataIfDone();
  }

  private void readPadLength(ByteBuffer in) {
    paddingBytesLeft = in.get() & 0xff;
    dataBytesLeft -= 1 + paddingBytesLeft;
    if (dataBytesLeft < 0) {
      broken(ErrorCode.PROTOCOL_ERROR, "a DATA frame's padding is longer than the frame");
      return;
    }
    state = State.DATA;
    endDataIfDone();
  }

  private void readData(ByteBuffer in) {
    int bytes = Math.min(dataBytesLeft, in.remaining());
    int end = in.position() + bytes;
    int limit = in.limit();
    in.limit(end);
    dataBytesLeft -= bytes;
    handler.onDataBytes(in);
    in.limit(limit).position(end);
    endDataIfDone();
  }

  private void readPadding(ByteBuffer in) {
    int bytes = Math.min(paddingBytesLeft, in.remaining());
    in.position(in.position() + bytes);
    paddingBytesLeft -= bytes;
    endDataIfDone();
  }

  private void endDataIfDone() {
    if (state == State.PAD_LENGTH || dataBytesLeft > 0) {
      return;
    }
    if (paddingBytesLeft > 0) {
      state = State.PADDING;
    } else {
      state = State.HEADER;
      handler.onDataEnd();
    }
  }

  private boolean keepUntil(int wanted, ByteBuffer in) {
    int bytes = Math.min(wanted - keptBytes, in.remaining());
    if (kept.length < keptBytes + bytes) {
      int some = Math.max(FIRST_KEPT_BYTES, Math.min(wanted, kept.length * 2));
      kept = Arrays.copyOf(kept, Math.max(keptBytes + bytes, some));
    }
    in.get(kept, keptBytes, bytes);
    keptBytes += bytes;
    return keptBytes == wanted;
  }

  private void broken(ErrorCode code, String detail) {
    handler.onBroken(new Violation.OfConnection(code, detail));
  }
}
