package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The patterns of the lists that arrived recently, learnt from them.
 *
 * <p>When a list arrives for the second time, as its names and the values of its pseudo-header
 * fields tell, it becomes a pattern without open places; later lists open the places where they
 * differ. Lists that differ in too many places use no pattern. After some thousand lists a pattern
 * is learnt again, so that a place that differed once does not stay open for ever. A new pattern
 * replaces one that was not used recently, so lists that alternate do not all displace each other.
 *
 * <p>Memory is bounded: 16 patterns of up to 63 fields and 2 KiB.
 */
final class HeaderPatterns {
  private static final int SLOT_BITS = 4;
  private static final int ROW = 4;

  /** The latest this many lists that were seen once are noted. */
  private static final int NOTES = 32;

  /** A prime, so that each row has its turn. */
  private static final int REPLACED_PER_AGE = 61;

  /** A list that is larger than this, as HPACK counts it, becomes no pattern. */
  private static final int MAX_PATTERN_BYTES = 2048;

  private static final long MIX = 0x9e3779b97f4a7c15L;

  private static final HeaderPattern NONE = new HeaderPattern(0, new HeaderField[0], 0);

  private final HeaderPattern[] patterns = new HeaderPattern[1 << SLOT_BITS];
  private final long[] seenOnce = new long[NOTES];
  private int nextNote;
  private int replaced;
  private int keptBytes;
  private HeaderPattern last = NONE;

  HeaderPatterns() {
    Arrays.fill(patterns, NONE);
  }

  /** The sizes of the patterns, as HPACK counts them. */
  int keptBytes() {
    return keptBytes;
  }

  /** The pattern that is most likely to fit the next list; without fields if there is none. */
  HeaderPattern next() {
    return last.isWornOut() ? NONE : last;
  }

  /**
   * A pattern whose lists begin with the same fields as those of another, and continue with that
   * field; without fields if there is none. Lists of calls of several methods differ in this way.
   *
   * @param size how many fields they have in common
   */
  HeaderPattern sibling(HeaderPattern of, int size, HeaderField then) {
    for (HeaderPattern pattern : patterns) {
      if (pattern.goesOn(of, size, then) && pattern.isUseful()) {
        return pattern;
      }
    }
    return NONE;
  }

  /** A list that followed the pattern to its end; only fields at open places are used. */
  HeaderList followed(HeaderPattern pattern, HeaderField[] fields) {
    pattern.markUsed();
    return listOf(pattern, fields);
  }

  /** The list of the first {@code size} fields. */
  HeaderList list(HeaderField[] fields, int size, int sizeBytes) {
    if (size == 0 || size > HeaderPattern.MAX_FIELDS || sizeBytes > MAX_PATTERN_BYTES) {
      return whole(fields, size);
    }
    long hash = hash(fields, size);
    HeaderPattern pattern = learn(fields, size, hash);
    if (pattern.isUseful() && pattern.size() > 0) {
      return listOf(pattern, fields);
    }
    if (pattern.size() > 0) { // none of them is the shared empty pattern
      pattern.use();
    }
    return whole(fields, size);
  }

  private HeaderList listOf(HeaderPattern pattern, HeaderField[] fields) {
    last = pattern;
    return pattern.list(fields);
  }

  /** The pattern of a list; without fields if it has none yet. */
  private HeaderPattern learn(HeaderField[] fields, int size, long hash) {
    int first = (int) (hash >>> (Long.SIZE - SLOT_BITS)) & -ROW;
    for (int place = first; place < first + ROW; place++) {
      HeaderPattern known = patterns[place];
      long difference =
          known.hash() == hash ? known.difference(fields, size) : HeaderPattern.MISFIT;
      if (difference != HeaderPattern.MISFIT) {
        HeaderPattern now = known;
        if (known.isWornOut()) {
          now = pattern(fields, size, hash, 0);
        } else if (difference != 0) {
          now = pattern(fields, size, hash, known.openPlaces() | difference);
        }
        now.markUsed();
        return put(place, now);
      }
    }
    return tryNote(hash) ? NONE : put(unused(first), pattern(fields, size, hash, 0));
  }

  /** The index for a new pattern in a row: an empty one, if there is any. */
  private int unused(int first) {
    for (int place = first; place < first + ROW; place++) {
      if (patterns[place].size() == 0) {
        return place;
      }
    }
    int unused = first;
    boolean found = false;
    boolean all = ++replaced % REPLACED_PER_AGE == 0; // otherwise what was used long ago would stay
    for (int place = first; place < first + ROW && (all || !found); place++) {
      boolean used = patterns[place].takeUsed();
      unused = used || found ? unused : place;
      found |= !used;
    }
    return unused;
  }

  /** Notes a list as seen; returns false if it has been seen before. */
  private boolean tryNote(long hash) {
    for (long note : seenOnce) {
      if (note == hash) {
        return false;
      }
    }
    seenOnce[nextNote] = hash;
    nextNote = (nextNote + 1) % NOTES;
    return true;
  }

  private static HeaderPattern pattern(HeaderField[] fields, int size, long hash, long open) {
    return new HeaderPattern(hash, Arrays.copyOf(fields, size), open | secrets(fields, size));
  }

  /** Stores a pattern at an index; the one that is there is dropped. */
  @SuppressWarnings("ReferenceEquality") // another object has other lists
  private HeaderPattern put(int place, HeaderPattern pattern) {
    HeaderPattern before = patterns[place];
    if (before != pattern) {
      keptBytes += pattern.sizeBytes() - before.sizeBytes();
      last =
          last == before
              ? NONE
              : last; // otherwise it would be followed, and fill that memory again
    }
    patterns[place] = pattern;
    return pattern;
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
      String name = fields[i].name();
      hash = Long.rotateLeft(hash, 7) ^ name.hashCode();
      if (!name.isEmpty() && name.charAt(0) == ':') {
        hash = Long.rotateLeft(hash, 7) ^ fields[i].value().hashCode();
      }
    }
    return hash * MIX;
  }
}
