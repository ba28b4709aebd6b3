package dev.gannet.http2.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The lists of header blocks that lately arrived, by the blocks' octets: a block seen before is
 * looked up and not decoded.
 *
 * <p>Only for blocks made of indexed fields alone, which change nothing and hold no secret, and
 * only as long as the table they refer to stands still. Memory is bounded: 32 blocks of up to 256
 * octets, and their lists, which go when the table changes.
 */
final class RepeatedBlocks {
  /** What {@link #find} answers for a block it does not know. */
  static final int UNKNOWN = -1;

  private static final int SLOT_BITS = 5;

  /** A block of indexed fields has one or two octets a field: longer ones are not worth a slot. */
  private static final int MAX_BLOCK_BYTES = 256;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** An odd number without a pattern; its top bits mix all that was multiplied in. */
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final byte[][] blocks = new byte[1 << SLOT_BITS][0];
  private final int[] lengths = new int[1 << SLOT_BITS];
  private final HeaderList[] lists = new HeaderList[1 << SLOT_BITS];
  private long tableVersion;

  RepeatedBlocks() {
    Arrays.fill(lists, HeaderList.EMPTY);
  }

  /** The place of a block's list, or {@link #UNKNOWN}. */
  int find(byte[] octets, int from, int length, long version) {
    if (version != tableVersion || length > MAX_BLOCK_BYTES || length == 0) {
      return UNKNOWN;
    }
    int slot = slot(octets, from, length);
    return lengths[slot] == length
            && Arrays.equals(octets, from, from + length, blocks[slot], 0, length)
        ? slot
        : UNKNOWN;
  }

  HeaderList list(int place) {
    return lists[place];
  }

  /** Remembers what a block of indexed fields decoded to. */
  void remember(byte[] octets, int from, int length, HeaderList list, long version) {
    if (version != tableVersion) {
      Arrays.fill(lengths, 0);
      Arrays.fill(lists, HeaderList.EMPTY);
      tableVersion = version;
    }
    if (length > MAX_BLOCK_BYTES || length == 0) {
      return;
    }
    int slot = slot(octets, from, length);
    if (blocks[slot].length < length) {
      blocks[slot] = new byte[length];
    }
    System.arraycopy(octets, from, blocks[slot], 0, length);
    lengths[slot] = length;
    lists[slot] = list;
  }

  private static int slot(byte[] octets, int from, int length) {
    long hash = length;
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(octets, from + i)) * MIX;
      hash ^= hash >>> 32;
    }
    for (; i < length; i++) {
      hash = (hash ^ octets[from + i]) * MIX;
    }
    return (int) ((hash * MIX) >>> (Long.SIZE - SLOT_BITS));
  }
}
