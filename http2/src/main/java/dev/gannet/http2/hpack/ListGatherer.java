package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The header list that is being decoded: it counts every field and keeps those within the limits.
 *
 * <p>It follows the pattern of the previous list as long as the fields match: then only fields at
 * open places are kept here, and the pattern has the others.
 */
final class ListGatherer {
  private static final int FIRST_FIELDS = 16;

  private final int maxListBytes;
  private final int maxFields;
  private final HeaderPatterns patterns = new HeaderPatterns();
  private HeaderField[] kept = new HeaderField[FIRST_FIELDS];
  private int fields;
  private long sizeBytes; // while following a pattern, only of the fields at open places
  private boolean full;
  private HeaderPattern followed = patterns.next();
  private boolean following;

  ListGatherer(int maxListBytes, int maxFields) {
    this.maxListBytes = maxListBytes;
    this.maxFields = maxFields;
    Arrays.fill(kept, HeaderList.VACANT);
  }

  void start() {
    fields = 0;
    sizeBytes = 0;
    full = false;
    followed = patterns.next();
    following = true;
  }

  /** The largest field that the list can still take; negative or 0 if none. */
  int roomBytes() {
    int shared = following ? followed.bytesBefore(fields) : 0;
    return full || fields == maxFields ? 0 : maxListBytes - shared - (int) sizeBytes;
  }

  /**
   * Adds the next fields as long as their one-byte indexes match the pattern.
   *
   * @return how many fields were added
   */
  int follow(BlockReader block, FieldTable table) {
    if (!following || fields >= followed.size()) {
      return 0;
    }
    int from = block.position();
    int end = from + block.remaining();
    int matching = followed.matching(fields, block.octets(), from, end, table);
    fields += matching;
    return matching;
  }

  @SuppressWarnings("ReferenceEquality") // an equal field may have been added in another way
  void add(HeaderField field) {
    if (following && fields < followed.size() && followed.field(fields) == field) {
      fields++;
    } else if (following && followed.isOpenFor(fields, field)) {
      keep(field);
      sizeBytes += field.sizeBytes();
      fields++;
    } else if (!tryFollowSibling(field)) {
      leavePattern();
      count(field.sizeBytes());
      if (!full) {
        fields--;
        keep(field);
        fields++;
      }
    }
  }

  /** Continues with another pattern; returns false if none has the same fields so far. */
  private boolean tryFollowSibling(HeaderField field) {
    if (!following) {
      return false;
    }
    HeaderPattern sibling = patterns.sibling(followed, fields, field);
    if (sibling.size() == 0) {
      return false;
    }
    followed = sibling;
    fields++;
    return true;
  }

  /** Counts a field that was too large to be created. */
  void count(int fieldBytes) {
    leavePattern();
    fields++;
    sizeBytes += fieldBytes;
    full |= sizeBytes > maxListBytes || fields > maxFields;
  }

  private void keep(HeaderField field) {
    if (fields == kept.length) {
      kept = Arrays.copyOf(kept, (int) Math.min(maxFields, 2L * kept.length));
      Arrays.fill(kept, fields, kept.length, HeaderList.VACANT);
    }
    kept[fields] = field;
  }

  /** Continues without the pattern: copies what the pattern has. */
  private void leavePattern() {
    if (following) {
      following = false;
      sizeBytes += followed.bytesBefore(fields);
      int gathered = fields;
      for (fields = 0; fields < gathered; fields++) {
        if (!followed.isOpen(fields)) {
          keep(followed.field(fields));
        }
      }
      full = sizeBytes > maxListBytes;
    }
  }

  Decoded finish() {
    boolean whole = fields == followed.size() && fields > 0;
    if (!whole || followed.sizeBytes() + sizeBytes > maxListBytes) {
      leavePattern();
    }
    if (following) {
      return patterns.followed(followed, kept);
    }
    return full
        ? new Decoded.TooLarge((int) Math.min(Integer.MAX_VALUE, sizeBytes), fields)
        : patterns.list(kept, fields, (int) sizeBytes);
  }

  /** The sizes of what is kept of lists to recognize them again, as HPACK counts them. */
  int keptBytes() {
    return patterns.keptBytes();
  }

  /** Releases the fields. */
  void release() {
    if (following) {
      followed.releaseOpen(kept, fields);
      return;
    }
    Arrays.fill(kept, 0, Math.min(fields, kept.length), HeaderList.VACANT);
  }
}
