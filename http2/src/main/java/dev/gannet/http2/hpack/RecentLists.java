package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * Of patterns with one open place, the lists whose own field lately came back: the same field makes
 * the same list again, with its meaning.
 *
 * <p>One memory for all patterns of a decoder, and a small one, for what rooms above make of a list
 * may be many times as large as the list: 64 lists, each with an own field of up to 64 octets.
 */
final class RecentLists {
  private static final int SLOT_BITS = 6;

  /** Lists whose own field is larger, as HPACK counts it, are not kept. */
  private static final int MAX_OWN_BYTES = 64;

  private static final int MIX = 0x9e3779b9;

  private final HeaderList[] lists = new HeaderList[1 << SLOT_BITS];
  private int kept;

  RecentLists() {
    Arrays.fill(lists, HeaderList.EMPTY);
  }

  /** The list of that pattern with that field at its open place. */
  HeaderList list(HeaderPattern pattern, HeaderField own) {
    if (own.sizeBytes() > MAX_OWN_BYTES) {
      return HeaderList.of(pattern, own);
    }
    int hash = own.value().hashCode() ^ (int) pattern.hash();
    int slot = (hash * MIX) >>> (Integer.SIZE - SLOT_BITS);
    HeaderList known = lists[slot];
    if (known.isOf(pattern, own)) {
      return known;
    }
    HeaderList made = HeaderList.of(pattern, own);
    kept += known.size() == 0 ? 1 : 0;
    lists[slot] = made;
    return made;
  }

  /** The sizes of the fields that are kept, as HPACK counts them, at most. */
  int keptBytes() {
    return kept * MAX_OWN_BYTES;
  }

  /** Lets go of the lists of a pattern that is no more. */
  void forget(HeaderPattern pattern) {
    for (int i = 0; i < lists.length; i++) {
      if (lists[i].isOf(pattern)) {
        lists[i] = HeaderList.EMPTY;
        kept--;
      }
    }
  }
}
