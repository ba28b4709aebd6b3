package dev.gannet.http2.hpack;

/**
 * Encodes the header blocks that this side sends on one connection, in the order they are sent (RFC
 * 7541).
 *
 * <p>A block is one call of {@link #begin} followed by any number of {@code encode} calls into the
 * same {@link HeaderBlock}. What was encoded must be sent, because the peer's table follows it.
 * Belongs to one connection and one thread.
 *
 * <p>If the same list object is encoded again and again, its bytes are copied as long as the table
 * does not change.
 */
public final class HpackEncoder {
  /** SETTINGS_HEADER_TABLE_SIZE has 32 bits (RFC 9113 §6.5.1). */
  private static final long MAX_SETTING = (1L << 32) - 1;

  private static final int INDEXED_FLAG = 0x80;
  private static final int INCREMENTAL_FLAG = 0x40;
  private static final int SIZE_UPDATE_FLAG = 0x20;
  private static final int NEVER_FLAG = 0x10;

  private final int maxTableBytes;
  private final HuffmanUse huffmanUse;
  private final DynamicTable table;
  private final FieldIndex index;
  private final EncodedLists encodedLists = new EncodedLists();

  // The table capacities that the peer's SETTINGS led to since the last block began.
  private int smallestCapacityBytes = DynamicTable.INITIAL_CAPACITY_BYTES;
  private int capacityBytes;

  /**
   * Creates an encoder for a new connection.
   *
   * @param maxTableBytes the largest table to use, whatever the peer allows, 0 or more
   */
  public HpackEncoder(int maxTableBytes) {
    this(maxTableBytes, HuffmanUse.FOR_THE_TABLE);
  }

  /**
   * Creates an encoder for a new connection.
   *
   * @param maxTableBytes the largest table to use, whatever the peer allows, 0 or more
   * @param huffmanUse where strings are Huffman coded
   */
  public HpackEncoder(int maxTableBytes, HuffmanUse huffmanUse) {
    if (maxTableBytes < 0) {
      throw new IllegalArgumentException("maxTableBytes cannot be negative: " + maxTableBytes);
    }
    this.maxTableBytes = maxTableBytes;
    this.huffmanUse = huffmanUse;
    this.table = new DynamicTable(DynamicTable.INITIAL_CAPACITY_BYTES);
    this.index = new FieldIndex(table);
    setPeerTableBytes(DynamicTable.INITIAL_CAPACITY_BYTES);
  }

  /**
   * Applies the peer's SETTINGS_HEADER_TABLE_SIZE. The next block announces what changed: the
   * smallest size since the last block if it was smaller than the final one, then the final one
   * (§4.2).
   *
   * @throws IllegalArgumentException if {@code bytes} is not from 0 to 2^32-1
   */
  public void setPeerTableBytes(long bytes) {
    if (bytes < 0 || bytes > MAX_SETTING) {
      throw new IllegalArgumentException("bytes: " + bytes);
    }
    capacityBytes = (int) Math.min(bytes, maxTableBytes);
    smallestCapacityBytes = Math.min(smallestCapacityBytes, capacityBytes);
  }

  /** Begins a block after what {@code out} already contains: writes pending table size updates. */
  public void begin(HeaderBlock out) {
    if (smallestCapacityBytes < capacityBytes) {
      announce(smallestCapacityBytes, out);
    }
    announce(capacityBytes, out);
    smallestCapacityBytes = capacityBytes;
  }

  /** Appends the fields of a list. */
  public void encode(HeaderList list, HeaderBlock out) {
    long version = table.version();
    int known = encodedLists.find(list, version);
    if (known != EncodedLists.UNKNOWN) {
      encodedLists.copy(known, out);
      return;
    }
    int start = out.length();
    for (int i = 0; i < list.size(); i++) {
      encode(list.field(i), out);
    }
    if (table.version() == version) {
      encodedLists.offer(list, version, out, start);
    }
  }

  /** Appends a field. */
  public void encode(HeaderField field, HeaderBlock out) {
    String name = field.name();
    String value = field.value();
    if (field.indexing() != Indexing.ALLOWED) {
      writeLiteral(name, value, field.indexing(), out);
    } else if (!writeIndexed(name, value, out)) {
      writeNew(field, out);
    }
  }

  /**
   * Appends a field without an object. Allocates nothing, unless the field enters the table.
   *
   * @throws IllegalArgumentException if name or value has a character above U+00FF; nothing was
   *     appended then
   */
  public void encode(String name, String value, Indexing indexing, HeaderBlock out) {
    HeaderField.requireOctets(name);
    HeaderField.requireOctets(value);
    if (indexing != Indexing.ALLOWED) {
      writeLiteral(name, value, indexing, out);
    } else if (!writeIndexed(name, value, out)) {
      writeNew(new HeaderField(name, value, indexing), out);
    }
  }

  /** The table as it stands now. */
  DynamicTable table() {
    return table;
  }

  private void announce(int bytes, HeaderBlock out) {
    if (bytes != table.capacityBytes()) {
      out.writeInteger(SIZE_UPDATE_FLAG, 5, bytes);
      table.setCapacityBytes(bytes);
    }
  }

  private boolean writeIndexed(String name, String value, HeaderBlock out) {
    int found = StaticTable.indexOf(name, value);
    if (found == StaticTable.NONE) {
      found = tableIndex(index.find(name, value));
    }
    if (found == StaticTable.NONE) {
      return false;
    }
    out.writeInteger(INDEXED_FLAG, 7, found);
    return true;
  }

  /** Writes a field that is in no table, and adds it unless it would evict almost all others. */
  private void writeNew(HeaderField field, HeaderBlock out) {
    if (field.sizeBytes() > table.capacityBytes() - table.capacityBytes() / 4) {
      writeLiteral(field.name(), field.value(), Indexing.SKIPPED, out);
      return;
    }
    int nameIndex = nameIndex(field.name());
    out.writeInteger(INCREMENTAL_FLAG, 6, nameIndex);
    if (nameIndex == StaticTable.NONE) {
      out.writeShortestString(field.name());
    }
    out.writeShortestString(field.value());
    index.add(field);
  }

  private void writeLiteral(String name, String value, Indexing indexing, HeaderBlock out) {
    int nameIndex = nameIndex(name);
    out.writeInteger(indexing == Indexing.NEVER ? NEVER_FLAG : 0, 4, nameIndex);
    if (nameIndex == StaticTable.NONE) {
      writePassing(name, out);
    }
    writePassing(value, out);
  }

  /** Writes a string that does not enter the table. */
  private void writePassing(String text, HeaderBlock out) {
    if (huffmanUse == HuffmanUse.ALWAYS) {
      out.writeShortestString(text);
    } else {
      out.writeString(text);
    }
  }

  private int nameIndex(String name) {
    int found = StaticTable.indexOf(name);
    return found == StaticTable.NONE ? tableIndex(index.find(name)) : found;
  }

  /** The index of an entry of the dynamic table; {@code NONE} for none. */
  private int tableIndex(long serial) {
    return serial == FieldIndex.NONE
        ? StaticTable.NONE
        : StaticTable.SIZE + (int) (table.nextSerial() - serial);
  }
}
