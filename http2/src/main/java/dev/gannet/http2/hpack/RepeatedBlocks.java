package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The lists of header blocks that recently arrived, by the blocks' bytes: a block that was seen
 * before is looked up and not decoded.
 *
 * <p>Only for blocks that change nothing and contain no secret, and only as long as the table that
 * they refer to does not change. A block is kept from its second time on, so blocks that do not
 * repeat do not displace those that do. Memory is bounded: 32 blocks of up to 256 bytes, and their
 * lists of up to 2 KiB, which are dropped when a block is kept after the table has changed.
 */
final class RepeatedBlocks {
  /** Returned by {@link #find} for a block that it does not know. */
  static final int UNKNOWN = -1;

  private static final int SLOT_BITS = 5;

  /** A block that repeats has few literals: longer ones are not worth an entry. */
  private static final int MAX_BLOCK_BYTES = 256;

  /** A list that is larger than this, as HPACK counts it, is decoded each time. */
  private static final int MAX_LIST_BYTES = 2048;

  private static final byte[] NOTHING = {};

  private final byte[][] blocks = new byte[1 << SLOT_BITS][];
  private final int[] lengths = new int[1 << SLOT_BITS];
  private final HeaderList[] lists = new HeaderList[1 << SLOT_BITS];
  private final long[] seenOnce = new long[1 << SLOT_BITS];
  private long tableVersion;
  private int keptBytes;

  RepeatedBlocks() {
    Arrays.fill(blocks, NOTHING);
    Arrays.fill(lists, HeaderList.EMPTY);
  }

  /** The index of a block's list, or {@link #UNKNOWN}. */
  int find(byte[] octets, int from, int length, long version) {
    if (version != tableVersion || length > MAX_BLOCK_BYTES || length == 0) {
      return UNKNOWN;
    }
    int slot = slot(hash(octets, from, length, version));
    return lengths[slot] == length
            && Arrays.equals(octets, from, from + length, blocks[slot], 0, length)
        ? slot
        : UNKNOWN;
  }

  /** The sizes of the lists that are kept, as HPACK counts them. */
  int keptBytes() {
    return keptBytes;
  }

  HeaderList list(int place) {
    return lists[place];
  }

  /** Offers the list of a block that changed nothing; the first time it is only noted. */
  void offer(byte[] octets, int from, int length, HeaderList list, long version) {
    if (length > MAX_BLOCK_BYTES || length == 0) {
      return;
    }
    long hash = hash(octets, from, length, version);
    int slot = slot(hash);
    if (seenOnce[slot] != hash) {
      seenOnce[slot] = hash;
      return;
    }
    if (list.sizeBytes() > MAX_LIST_BYTES) {
      return;
    }
    if (version != tableVersion) {
      Arrays.fill(lengths, 0);
      Arrays.fill(lists, HeaderList.EMPTY);
      tableVersion = version;
      keptBytes = 0;
    }
    if (blocks[slot].length < length) {
      blocks[slot] = new byte[length];
    }
    keptBytes += list.sizeBytes() - lists[slot].sizeBytes();
    System.arraycopy(octets, from, blocks[slot], 0, length);
    lengths[slot] = length;
    lists[slot] = list;
  }

  private static long hash(byte[] octets, int from, int length, long version) {
    return OctetHash.of(version, octets, from, length);
  }

  private static int slot(long hash) {
    return (int) (hash >>> (Long.SIZE - SLOT_BITS));
  }
}
