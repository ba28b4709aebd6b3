package dev.gannet.http2.hpack;

import dev.gannet.http2.ThreadArray;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads string literals (RFC 7541 §5.2): lengths are checked before anything is copied, and a
 * string that exceeds the limit is checked and counted but never created.
 */
final class StringLiteralReader {
  private static final int HUFFMAN_FLAG = 0x80;

  /** For decoding strings that are Huffman-coded. */
  private static final ThreadArray DECODED = new ThreadArray();

  private static final byte[] NOTHING = {};

  private final HuffmanReader huffman = new HuffmanReader();
  private final RecentNames recentNames = new RecentNames();
  private byte[] decoded = NOTHING;
  private int decodedBytes; // the most that strings of this block took of it

  // The position of the last string.
  private byte[] octets = NOTHING;
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
    Arrays.fill(decoded, 0, decodedBytes, (byte) 0);
  }

  /** Releases the block and what was read last. */
  void release() {
    octets = NOTHING;
    text = "";
    decoded = NOTHING;
    decodedBytes = 0;
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
    int space = Math.min(roomBytes, HuffmanReader.mostDecodedBytes(encodedBytes));
    decodeTo(DECODED.ofAtLeast(Math.max(0, space)));
    int length = huffman.decode(octets, from, from + encodedBytes, decoded);
    octets = decoded;
    from = 0;
    int written = length < 0 ? decoded.length : Math.min(length, decoded.length);
    decodedBytes = Math.max(decodedBytes, written);
    return length < 0 ? block.fail(huffman.fault()) : length;
  }

  /** A string that needs another array is rare: the one before may contain a secret. */
  @SuppressWarnings("ReferenceEquality") // the same array
  private void decodeTo(byte[] array) {
    if (array != decoded) {
      wipe();
      decoded = array;
      decodedBytes = 0;
    }
  }
}
