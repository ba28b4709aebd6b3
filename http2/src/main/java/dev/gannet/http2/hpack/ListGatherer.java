package dev.gannet.http2.hpack;

import java.util.Arrays;

/** The header list being decoded: it counts every field and keeps those within the limits. */
final class ListGatherer {
  private static final int FIRST_FIELDS = 16;

  private static final HeaderField VACANT = new HeaderField("", "", Indexing.ALLOWED);

  private final int maxListBytes;
  private final int maxFields;
  private HeaderField[] kept = new HeaderField[FIRST_FIELDS];
  private int fields;
  private long sizeBytes;
  private boolean full;

  ListGatherer(int maxListBytes, int maxFields) {
    this.maxListBytes = maxListBytes;
    this.maxFields = maxFields;
    Arrays.fill(kept, VACANT);
  }

  void start() {
    fields = 0;
    sizeBytes = 0;
    full = false;
  }

  /** The largest field the list can still take, negative or 0 if none. */
  int roomBytes() {
    return full || fields == maxFields ? 0 : maxListBytes - (int) sizeBytes;
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
        : new HeaderList(Arrays.copyOf(kept, fields), (int) sizeBytes);
  }

  /** Lets go of the fields. */
  void release() {
    Arrays.fill(kept, 0, Math.min(fields, kept.length), VACANT);
  }
}
