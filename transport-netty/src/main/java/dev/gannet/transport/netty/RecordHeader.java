package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;

/**
 * The header of the TLS record that is arriving, which is not encrypted (RFC 8446 §5.1), and how
 * much of the record is still to come.
 *
 * <pre>
 *   type (1)   version (2)   length (2)   content
 * </pre>
 */
final class RecordHeader {
  private static final int BYTES = 5;

  private int seenBytes;
  private int type;
  private int contentBytes;
  private int leftBytes;

  /** Where the record ends in these bytes, or the end of the bytes if it does not end in them. */
  int endOfRecord(ByteBuf bytes, int from, int end) {
    int at = from;
    while (seenBytes < BYTES && at < end) {
      read(bytes.getUnsignedByte(at++));
    }
    int taken = Math.min(leftBytes, end - at);
    leftBytes -= taken;
    return at + taken;
  }

  private void read(int octet) {
    switch (++seenBytes) {
      case 1 -> type = octet;
      case BYTES - 1 -> contentBytes = octet << Byte.SIZE;
      case BYTES -> {
        contentBytes |= octet;
        leftBytes = contentBytes;
      }
      default -> {} // the version, which TLS checks
    }
  }

  /** Whether the whole record has arrived. */
  boolean isWhole() {
    return seenBytes == BYTES && leftBytes == 0;
  }

  /** The content type of the record, once its first byte has arrived. */
  int type() {
    return type;
  }

  /** The length of the content, including its authentication tag; once the header has arrived. */
  int contentBytes() {
    return contentBytes;
  }

  /** The next record begins. */
  void next() {
    seenBytes = 0;
  }
}
