package dev.gannet.http2.hpack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads string literals (RFC 7541 §5.2): lengths are checked before anything is copied, and a
 * string that exceeds the limit is checked and counted but never created.
 */
final class StringLiteralReader {
  private static final int HUFFMAN_FLAG = 0x80;

  /** The buffer that is kept between strings is at most this long; a longer string gets its own. */
  private static final int MAX_KEPT_BYTES = 16 << 10;

  private final HuffmanReader huffman = new HuffmanReader();
  private final RecentNames recentNames = new RecentNames();
  private byte[] scratch = new byte[0];
  private int decodedBytes; // the most that was decoded into it since it was last overwritten

  // The position of the last string.
  private byte[] octets = scratch;
  private int from;

  private String text = "";

  /** The last string read, or an empty one if it was longer than allowed. */
  String text() {
    return text;
  }

  /**
   * Reads a name.
   *
   * @param roomBytes the longest name to create; may be negative
   * @return its length in bytes, or {@link BlockReader#FAILED}
   */
  int readName(BlockReader block, int roomBytes) {
    int length = locate(block, roomBytes);
    text = length > 0 && length <= roomBytes ? recentNames.name(octets, from, length) : "";
    return length;
  }

  /** Reads a value, as {@link #readName} does. */
  int readValue(BlockReader block, int roomBytes) {
    int length = locate(block, roomBytes);
    text =
        length > 0 && length <= roomBytes
            ? new String(octets, from, length, StandardCharsets.ISO_8859_1)
            : "";
    return length;
  }

  /** Overwrites what was decoded, because it contained a secret. */
  void wipe() {
    Arrays.fill(scratch, 0, decodedBytes, (byte) 0);
    decodedBytes = 0;
  }

  /** Releases the block and what was read last. */
  void release() {
    octets = scratch;
    text = "";
  }

  private int locate(BlockReader block, int roomBytes) {
    if (block.remaining() == 0) {
      return block.fail(HeaderBlockFault.TRUNCATED);
    }
    boolean coded = (block.peek() & HUFFMAN_FLAG) != 0;
    int encodedBytes = block.integer(7);
    if (encodedBytes > block.remaining()) {
      return block.fail(HeaderBlockFault.STRING_PAST_END);
    }
    if (encodedBytes < 0) {
      return BlockReader.FAILED;
    }
    octets = block.octets();
    from = block.position();
    block.skip(encodedBytes);
    return coded ? decode(block, encodedBytes, roomBytes) : encodedBytes;
  }

  private int decode(BlockReader block, int encodedBytes, int roomBytes) {
    byte[] to = space(Math.min(roomBytes, HuffmanReader.mostDecodedBytes(encodedBytes)));
    int length = huffman.decode(octets, from, from + encodedBytes, to);
    octets = to;
    from = 0;
    int written = length < 0 ? to.length : Math.min(length, to.length);
    decodedBytes = Math.min(scratch.length, Math.max(decodedBytes, written));
    return length < 0 ? block.fail(huffman.fault()) : length;
  }

  private byte[] space(int bytes) {
    if (bytes <= scratch.length) {
      return scratch;
    }
    if (bytes > MAX_KEPT_BYTES) {
      return new byte[bytes];
    }
    scratch = new byte[Math.min(MAX_KEPT_BYTES, Math.max(bytes, 2 * scratch.length))];
    return scratch;
  }
}
