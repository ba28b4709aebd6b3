package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The encoded bytes of lists that one encoder wrote more than once, by the identity of the list:
 * they are copied as long as the table that they refer to does not change.
 *
 * <p>A list is remembered from its second encoding on, so lists made for one message do not
 * displace those that are used again. Memory is bounded, and secrets are not kept.
 */
final class EncodedLists {
  /** Returned by {@link #find} for a list whose bytes are not known. */
  static final int UNKNOWN = -1;

  /** More constant lists than a connection usually has; a search checks each. */
  private static final int SLOTS = 8;

  /** Larger lists are not kept, neither the list nor its bytes. */
  private static final int MAX_LIST_BYTES = 2048;

  private static final byte[] NOTHING = {};

  private final HeaderList[] lists = new HeaderList[SLOTS];
  private final long[] tableVersions = new long[SLOTS];
  private final byte[][] blocks = new byte[SLOTS][];
  private final int[] lengths = new int[SLOTS];
  private int nextSlot;

  private final HeaderList[] seenOnce = new HeaderList[SLOTS];
  private int nextSeen;

  EncodedLists() {
    Arrays.fill(blocks, NOTHING);
    Arrays.fill(lists, HeaderList.EMPTY);
    Arrays.fill(seenOnce, HeaderList.EMPTY);
  }

  /** The index of a list's bytes, or {@link #UNKNOWN}. */
  int find(HeaderList list, long tableVersion) {
    int slot = slot(lists, list);
    return slot != UNKNOWN && tableVersions[slot] == tableVersion ? slot : UNKNOWN;
  }

  void copy(int place, HeaderBlock to) {
    to.writeOctets(blocks[place], lengths[place]);
  }

  /**
   * Offers a list that was just written from {@code start} to the end of {@code out} without
   * changing the table.
   */
  void offer(HeaderList list, long tableVersion, HeaderBlock out, int start) {
    if (list.sizeBytes() > MAX_LIST_BYTES || list.size() == 0) {
      return;
    }
    int slot = slot(lists, list);
    if (slot == UNKNOWN) {
      slot = promote(list);
    }
    if (slot != UNKNOWN) {
      lists[slot] = list;
      tableVersions[slot] = tableVersion;
      lengths[slot] = out.length() - start;
      if (blocks[slot].length < lengths[slot]) {
        blocks[slot] = new byte[lengths[slot]];
      }
      System.arraycopy(out.array(), start, blocks[slot], 0, lengths[slot]);
    }
  }

  /** A slot for a list that is written for the second time; the first time it is only noted. */
  private int promote(HeaderList list) {
    int seen = slot(seenOnce, list);
    if (seen == UNKNOWN) {
      if (!hasSecret(list)) {
        seenOnce[nextSeen] = list;
        nextSeen = (nextSeen + 1) % SLOTS;
      }
      return UNKNOWN;
    }
    seenOnce[seen] = HeaderList.EMPTY;
    int slot = nextSlot;
    nextSlot = (nextSlot + 1) % SLOTS;
    return slot;
  }

  private static boolean hasSecret(HeaderList list) {
    for (int i = 0; i < list.size(); i++) {
      if (list.field(i).indexing() == Indexing.NEVER) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // the same list: comparing fields would cost more
  private static int slot(HeaderList[] of, HeaderList list) {
    for (int i = 0; i < SLOTS; i++) {
      if (of[i] == list) {
        return i;
      }
    }
    return UNKNOWN;
  }
}
