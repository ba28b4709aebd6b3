package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The dynamic table of one direction (RFC 7541 §2.3.2, §4): a ring buffer of fields; the oldest is
 * evicted first.
 *
 * <p>An entry also has a serial number, counted from 0 over the life of the table; unlike its index
 * it never changes.
 */
final class DynamicTable {
  /** The size of both tables at first, until the encoder announces another (RFC 9113 §6.5.2). */
  static final int INITIAL_CAPACITY_BYTES = 4096;

  /** Enough for most connections; the ring doubles when it is full. */
  private static final int FIRST_SLOTS = 16;

  private static final HeaderField VACANT = new HeaderField("", "", Indexing.ALLOWED);

  private HeaderField[] ring = new HeaderField[FIRST_SLOTS];
  private long added;
  private int count;
  private int sizeBytes;
  private int capacityBytes;
  private long version;

  DynamicTable(int capacityBytes) {
    this.capacityBytes = capacityBytes;
    Arrays.fill(ring, VACANT);
  }

  int count() {
    return count;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  int capacityBytes() {
    return capacityBytes;
  }

  /** Changes whenever an entry is added or evicted or the capacity changes. */
  long version() {
    return version;
  }

  /** The serial number the next entry will get. */
  long nextSerial() {
    return added;
  }

  /** The serial number of the oldest entry in the table. */
  long oldestSerial() {
    return added - count;
  }

  int slots() {
    return ring.length;
  }

  /** The entry of that age: 0 is the newest, {@code count() - 1} the oldest. */
  HeaderField aged(int age) {
    return withSerial(added - 1 - age);
  }

  HeaderField withSerial(long serial) {
    return ring[slot(serial)];
  }

  /** Adds an entry, or empties the table for one that is larger than the table (§4.4). */
  void add(HeaderField field) {
    int fieldBytes = field.sizeBytes();
    if (fieldBytes > capacityBytes) {
      clear();
      return;
    }
    evictDownTo(capacityBytes - fieldBytes);
    if (count == ring.length) {
      grow();
    }
    ring[slot(added)] = field;
    added++;
    count++;
    sizeBytes += fieldBytes;
    version++;
  }

  void clear() {
    evictDownTo(0);
    version++;
  }

  void setCapacityBytes(int bytes) {
    if (bytes != capacityBytes) {
      capacityBytes = bytes;
      evictDownTo(bytes);
      version++;
    }
  }

  private void evictDownTo(int bytes) {
    while (sizeBytes > bytes) {
      int slot = slot(oldestSerial());
      sizeBytes -= ring[slot].sizeBytes();
      ring[slot] = VACANT;
      count--;
    }
  }

  private void grow() {
    HeaderField[] larger = new HeaderField[2 * ring.length];
    Arrays.fill(larger, VACANT);
    for (long serial = oldestSerial(); serial < added; serial++) {
      larger[(int) serial & (larger.length - 1)] = withSerial(serial);
    }
    ring = larger;
  }

  private int slot(long serial) {
    return (int) serial & (ring.length - 1);
  }
}
