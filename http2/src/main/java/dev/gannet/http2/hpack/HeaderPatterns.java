package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The patterns of the lists that lately arrived, learnt as they come.
 *
 * <p>A list that comes a second time, by its names and the values of its pseudo-header fields,
 * makes a pattern in which nothing is open; a list that differs opens the places where it does.
 * Lists that differ in too many are left whole. After some thousand lists a pattern is learnt anew,
 * so that what differed once does not stay open for good. A new pattern takes the place of one that
 * no list has come for of late, so lists that come in turns do not all drive out each other.
 *
 * <p>Memory is bounded: 16 patterns of up to 63 fields and 2 KiB.
 */
final class HeaderPatterns {
  private static final int SLOT_BITS = 4;
  private static final int ROW = 4;

  /** So many that came once are noted, the latest, whichever they are. */
  private static final int NOTES = 32;

  /** A prime, so that it comes to each row. */
  private static final int REPLACED_PER_AGE = 61;

  /** The size of a list, as HPACK counts it, beyond which it makes no pattern. */
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
   * A pattern whose lists begin as those of another do, and go on with that field; without fields
   * if there is none. Calls of several methods that come in turns differ so.
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

  /** A list that has been followed to its end; only fields at open places count. */
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
    if (pattern.size() > 0) { // none of them is everybody's
      pattern.use();
    }
    return whole(fields, size);
  }

  private HeaderList listOf(HeaderPattern pattern, HeaderField[] fields) {
    last = pattern;
    return pattern.list(fields);
  }

  /** The pattern that a list is of; without fields if it is of none yet. */
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
    return isNoted(hash) ? put(unused(first), pattern(fields, size, hash, 0)) : NONE;
  }

  /** The place for a new pattern in a row: an empty one, if there is any. */
  private int unused(int first) {
    for (int place = first; place < first + ROW; place++) {
      if (patterns[place].size() == 0) {
        return place;
      }
    }
    int unused = first;
    boolean found = false;
    boolean all = ++replaced % REPLACED_PER_AGE == 0; // or what was used long ago would stay
    for (int place = first; place < first + ROW && (all || !found); place++) {
      boolean used = patterns[place].takeUsed();
      unused = used || found ? unused : place;
      found |= !used;
    }
    return unused;
  }

  /** Whether a list has come before; notes it if not. */
  private boolean isNoted(long hash) {
    for (long note : seenOnce) {
      if (note == hash) {
        return true;
      }
    }
    seenOnce[nextNote] = hash;
    nextNote = (nextNote + 1) % NOTES;
    return false;
  }

  private static HeaderPattern pattern(HeaderField[] fields, int size, long hash, long open) {
    return new HeaderPattern(hash, Arrays.copyOf(fields, size), open | secrets(fields, size));
  }

  /** Puts a pattern in its place; what is there goes. */
  @SuppressWarnings("ReferenceEquality") // another object has other lists
  private HeaderPattern put(int place, HeaderPattern pattern) {
    HeaderPattern before = patterns[place];
    if (before != pattern) {
      keptBytes += pattern.sizeBytes() - before.sizeBytes();
      last = last == before ? NONE : last; // or it would be followed, and fill that memory again
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
