package dev.gannet.http2.frame;

/**
 * The nine octets before every payload (RFC 9113 §4.1). One object serves all frames of a
 * connection in turn.
 *
 * <pre>
 *  length (24) | type (8) | flags (8) | R (1) stream id (31)
 * </pre>
 */
public final class FrameHeader {
  /** Octets on the wire. */
  public static final int BYTES = 9;

  private int payloadBytes;
  private int type;
  private int flags;
  private int streamId;

  FrameHeader() {}

  void set(int lengthAndType, int flags, int streamId) {
    this.payloadBytes = lengthAndType >>> 8;
    this.type = lengthAndType & 0xff;
    this.flags = flags & 0xff;
    this.streamId = streamId & Integer.MAX_VALUE;
  }

  public int payloadBytes() {
    return payloadBytes;
  }

  /** One of {@link FrameType}, or an unknown type, which must be ignored. */
  public int type() {
    return type;
  }

  public boolean has(int flag) {
    return Flags.has(flags, flag);
  }

  public int streamId() {
    return streamId;
  }
}
