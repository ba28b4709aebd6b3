package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The patterns of the lists that lately arrived, learnt as they come.
 *
 * <p>A list that comes a second time, by its names and its {@code :path}, makes a pattern in which
 * nothing is open; a list that differs opens the places where it does. Lists that differ in too
 * many are left whole. Memory is bounded: 16 patterns of up to 64 fields and 2 KiB.
 */
final class HeaderPatterns {
  private static final int SLOT_BITS = 4;

  /** The size of a list, as HPACK counts it, beyond which it makes no pattern. */
  private static final int MAX_PATTERN_BYTES = 2048;

  private static final long MIX = 0x9e3779b97f4a7c15L;

  private static final String PATH = ":path";

  private static final HeaderPattern NONE = new HeaderPattern(0, new HeaderField[0], 0);

  private final HeaderPattern[] patterns = new HeaderPattern[1 << SLOT_BITS];
  private HeaderPattern last = NONE;
  private final long[] seenOnce = new long[1 << SLOT_BITS];

  HeaderPatterns() {
    Arrays.fill(patterns, NONE);
  }

  /** The pattern that is most likely to fit the next list; without fields if there is none. */
  HeaderPattern last() {
    return last;
  }

  /**
   * The list of the first {@code size} fields.
   *
   * @param fresh a bit for each place whose field came for the first time
   */
  HeaderList list(HeaderField[] fields, int size, int sizeBytes, long fresh) {
    if (size == 0 || size > HeaderPattern.MAX_FIELDS || sizeBytes > MAX_PATTERN_BYTES) {
      return whole(fields, size);
    }
    long hash = hash(fields, size);
    int slot = (int) (hash >>> (Long.SIZE - SLOT_BITS));
    HeaderPattern pattern = patterns[slot];
    long difference =
        pattern.hash() == hash ? pattern.difference(fields, size) : HeaderPattern.MISFIT;
    if (difference == HeaderPattern.MISFIT) {
      if (seenOnce[slot] != hash) {
        seenOnce[slot] = hash;
        return whole(fields, size);
      }
      pattern = new HeaderPattern(hash, Arrays.copyOf(fields, size), secrets(fields, size));
      patterns[slot] = pattern;
    } else if (difference != 0) {
      long open = pattern.openPlaces() | difference;
      pattern = new HeaderPattern(hash, Arrays.copyOf(fields, size), open);
      patterns[slot] = pattern;
    }
    if (pattern.openCount() > HeaderPattern.MAX_OPEN) {
      return whole(fields, size);
    }
    last = pattern;
    return pattern.list(fields, fresh);
  }

  private static HeaderList whole(HeaderField[] fields, int size) {
    return HeaderList.whole(Arrays.copyOf(fields, size));
  }

  /** The places of fields that are never kept. */
  private static long secrets(HeaderField[] fields, int size) {
    long places = 0;
    for (int i = 0; i < size; i++) {
      if (fields[i].indexing() == Indexing.NEVER) {
        places |= 1L << i;
      }
    }
    return places;
  }

  private static long hash(HeaderField[] fields, int size) {
    long hash = size;
    for (int i = 0; i < size; i++) {
      hash = Long.rotateLeft(hash, 7) ^ fields[i].name().hashCode();
      if (fields[i].name().equals(PATH)) {
        hash ^= fields[i].value().hashCode();
      }
    }
    return hash * MIX;
  }
}
