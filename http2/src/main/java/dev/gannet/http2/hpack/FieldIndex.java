package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * Finds fields and names in an encoder's dynamic table, the newest first.
 *
 * <p>Each bucket holds the serial number of the newest entry with its hash, each entry that of the
 * next older one. An evicted entry need not be removed: serial numbers decrease along a chain, so a
 * search ends at the first one that is no longer in the table.
 */
final class FieldIndex {
  /** Returned by a search if the table does not contain it. */
  static final long NONE = -1;

  /** Shared, and never changed: many connections add no field to their table. */
  private static final long[] EMPTY = {NONE};

  private final DynamicTable table;
  private long[] newestField = EMPTY;
  private long[] olderField = EMPTY;
  private long[] newestName = EMPTY;
  private long[] olderName = EMPTY;

  /** An index of a table that is empty. */
  FieldIndex(DynamicTable table) {
    this.table = table;
  }

  /** The serial number of a field. */
  long find(String name, String value) {
    int hash = HeaderField.hash(name, value);
    long oldest = table.oldestSerial();
    long serial = newestField[slot(hash)];
    while (serial >= oldest) {
      HeaderField field = table.withSerial(serial);
      if (field.hashCode() == hash && field.is(name, value)) {
        return serial;
      }
      serial = olderField[slot(serial)];
    }
    return NONE;
  }

  /** The serial number of the newest field with a name. */
  long find(String name) {
    long oldest = table.oldestSerial();
    long serial = newestName[slot(name.hashCode())];
    while (serial >= oldest) {
      if (table.withSerial(serial).name().equals(name)) {
        return serial;
      }
      serial = olderName[slot(serial)];
    }
    return NONE;
  }

  /** Adds a field to the table, into which it must fit, and to this index. */
  void add(HeaderField field) {
    table.add(field);
    if (table.slots() == newestField.length) {
      link(table.nextSerial() - 1);
    } else {
      reindex();
    }
  }

  private void reindex() {
    int slots = table.slots();
    newestField = new long[slots];
    olderField = new long[slots];
    newestName = new long[slots];
    olderName = new long[slots];
    Arrays.fill(newestField, NONE);
    Arrays.fill(newestName, NONE);
    for (long serial = table.oldestSerial(); serial < table.nextSerial(); serial++) {
      link(serial);
    }
  }

  private void link(long serial) {
    HeaderField field = table.withSerial(serial);
    int byField = slot(field.hashCode());
    int byName = slot(field.name().hashCode());
    olderField[slot(serial)] = newestField[byField];
    olderName[slot(serial)] = newestName[byName];
    newestField[byField] = serial;
    newestName[byName] = serial;
  }

  private int slot(int hash) {
    return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (newestField.length - 1);
  }

  private int slot(long serial) {
    return (int) serial & (newestField.length - 1);
  }
}
