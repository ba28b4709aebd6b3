package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The header list being decoded: it counts every field and keeps those within the limits. Lists
 * like those before share what they have in common.
 */
final class ListGatherer {
  private static final int FIRST_FIELDS = 16;

  private final int maxListBytes;
  private final int maxFields;
  private HeaderField[] kept = new HeaderField[FIRST_FIELDS];
  private int fields;
  private long sizeBytes;
  private boolean full;
  private long fresh;
  private final HeaderPatterns patterns = new HeaderPatterns();

  ListGatherer(int maxListBytes, int maxFields) {
    this.maxListBytes = maxListBytes;
    this.maxFields = maxFields;
    Arrays.fill(kept, HeaderList.VACANT);
  }

  void start() {
    fields = 0;
    sizeBytes = 0;
    full = false;
    fresh = 0;
  }

  /** The largest field the list can still take, negative or 0 if none. */
  int roomBytes() {
    return full || fields == maxFields ? 0 : maxListBytes - (int) sizeBytes;
  }

  /** Adds a field that comes for the first time. */
  void addFresh(HeaderField field) {
    fresh |= 1L << fields; // only read for lists that have as many fields as this has bits
    add(field);
  }

  void add(HeaderField field) {
    count(field.sizeBytes());
    if (!full) {
      if (fields > kept.length) {
        kept = Arrays.copyOf(kept, (int) Math.min(maxFields, 2L * kept.length));
      }
      kept[fields - 1] = field;
    }
  }

  /** Counts a field that was too large to be made. */
  void count(int fieldBytes) {
    fields++;
    sizeBytes += fieldBytes;
    full |= sizeBytes > maxListBytes || fields > maxFields;
  }

  Decoded finish() {
    return full
        ? new Decoded.TooLarge((int) Math.min(Integer.MAX_VALUE, sizeBytes), fields)
        : patterns.list(kept, fields, (int) sizeBytes, fresh);
  }

  /** Lets go of the fields. */
  void release() {
    Arrays.fill(kept, 0, Math.min(fields, kept.length), HeaderList.VACANT);
  }
}
