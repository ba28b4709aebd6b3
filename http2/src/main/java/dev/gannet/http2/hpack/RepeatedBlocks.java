package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The lists of header blocks that lately arrived, by the blocks' octets: a block seen before is
 * looked up and not decoded.
 *
 * <p>Only for blocks that change nothing and hold no secret, and only as long as the table they
 * refer to stands still. A block is kept from its second time on, so blocks that never come again
 * do not drive out the lasting ones. Memory is bounded: 32 blocks of up to 256 octets, and their
 * lists of up to 2 KiB, which go when a block is kept after the table has changed.
 */
final class RepeatedBlocks {
  /** What {@link #find} answers for a block it does not know. */
  static final int UNKNOWN = -1;

  private static final int SLOT_BITS = 5;

  /** A block that repeats has few literals: longer ones are not worth a slot. */
  private static final int MAX_BLOCK_BYTES = 256;

  /** The size of a list, as HPACK counts it, beyond which it is decoded each time. */
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

  /** The place of a block's list, or {@link #UNKNOWN}. */
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

  /** Offers what a block decoded to that changed nothing; the first time it is only noted. */
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
