package dev.gannet.http2.hpack;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Decodes the header blocks that one peer sends on one connection, in their order (RFC 7541).
 *
 * <p>Belongs to one connection and one thread. Nothing that the peer sends makes it throw.
 *
 * <p>Its table starts with the 4096 bytes that every connection starts with, whatever this side's
 * setting is, and follows the peer's size updates from there: so blocks of a peer that has not read
 * the setting yet are decoded correctly. The setting never changes during the connection's life, so
 * the decoder never waits for an update; a peer that ignores a setting below 4096 costs 4096 bytes
 * at most.
 */
public final class HpackDecoder {
  private static final int INDEXED_FLAG = 0x80;
  private static final int INCREMENTAL_FLAG = 0x40;
  private static final int SIZE_UPDATE_FLAG = 0x20;
  private static final int NEVER_FLAG = 0x10;

  /** The smallest of several sizes and the last one (RFC 7541 §4.2). */
  private static final int MAX_SIZE_UPDATES = 2;

  /** How many times larger fields and objects derived from them are than HPACK's count of them. */
  private static final int OBJECTS = 4;

  /**
   * The buffer for blocks in direct memory is kept up to this size. A longer block gets its own,
   * because thousands of connections may send one each.
   */
  private static final int MAX_KEPT_BYTES = 2 << 10;

  private final int settingTableBytes;
  private int maxTableBytes;
  private final DynamicTable table;
  private final FieldTable fields;
  private final ListGatherer list;
  private final BlockReader block = new BlockReader();
  private final StringLiteralReader strings = new StringLiteralReader();
  private final RecentFields recentFields = new RecentFields();
  private final RepeatedBlocks repeatedBlocks = new RepeatedBlocks();

  private long lastVersion;
  private byte[] copy = new byte[0];
  private boolean repeatable;
  private boolean secret;
  private int sizeUpdates;

  /**
   * Creates a decoder for a new connection.
   *
   * @param maxTableBytes the SETTINGS_HEADER_TABLE_SIZE that this side advertises, 0 or more
   * @param maxListBytes the largest list to return, with 32 bytes added for each field (RFC 9113
   *     §6.5.2), 1 or more
   * @param maxFields the most fields to return in one list, including references to a table, 1 or
   *     more
   */
  public HpackDecoder(int maxTableBytes, int maxListBytes, int maxFields) {
    if (maxTableBytes < 0) {
      throw new IllegalArgumentException("maxTableBytes cannot be negative: " + maxTableBytes);
    }
    if (maxListBytes < 1) {
      throw new IllegalArgumentException("maxListBytes: " + maxListBytes);
    }
    if (maxFields < 1) {
      throw new IllegalArgumentException("maxFields: " + maxFields);
    }
    this.settingTableBytes = maxTableBytes;
    this.maxTableBytes = Math.max(maxTableBytes, DynamicTable.INITIAL_CAPACITY_BYTES);
    this.table = new DynamicTable(DynamicTable.INITIAL_CAPACITY_BYTES);
    this.fields = new FieldTable(table);
    this.list = new ListGatherer(maxListBytes, maxFields);
  }

  /**
   * Decodes one complete header block, with CONTINUATION frames already joined, and consumes it.
   *
   * <p>For a block that changes nothing and contains no secret, and that was seen twice since the
   * table last changed, the same list is returned. After a {@link Decoded.Broken} the tables of
   * both ends differ: every later block returns the same.
   */
  public Decoded decode(ByteBuffer headerBlock) {
    int length = headerBlock.remaining();
    if (headerBlock.hasArray()) {
      int from = headerBlock.arrayOffset() + headerBlock.position();
      headerBlock.position(headerBlock.limit());
      return decode(headerBlock.array(), from, length);
    }
    byte[] octets = copy;
    if (length > octets.length) {
      octets = new byte[Math.max(length, 256)];
      copy = length <= MAX_KEPT_BYTES ? octets : copy;
    }
    headerBlock.get(octets, 0, length);
    Decoded decoded = decode(octets, 0, length);
    if (secret) {
      Arrays.fill(octets, 0, length, (byte) 0);
    }
    return decoded;
  }

  /**
   * The peer's encoder knows this side's SETTINGS_HEADER_TABLE_SIZE. Until then it may use the
   * initial table; if that is larger, its next block must begin with an update (RFC 9113 §4.3.1).
   */
  public void onSettingsAcknowledged() {
    maxTableBytes = settingTableBytes;
  }

  /**
   * Approximately how much memory it keeps of what the peer has sent, in bytes: HPACK's count,
   * multiplied where fields are kept only once, because they are objects with others attached. The
   * lists of blocks share their fields with the table.
   */
  public int keptBytes() {
    return OBJECTS * (table.sizeBytes() + list.keptBytes()) + repeatedBlocks.keptBytes();
  }

  /** The table as it stands between two blocks. */
  DynamicTable table() {
    return table;
  }

  private Decoded decode(byte[] octets, int from, int length) {
    secret = false;
    if (block.fault() != HeaderBlockFault.NONE) {
      return block.fault().broken();
    }
    int known =
        isShrinkingDue()
            ? RepeatedBlocks.UNKNOWN
            : repeatedBlocks.find(octets, from, length, table.version());
    if (known != RepeatedBlocks.UNKNOWN) {
      return repeatedBlocks.list(known);
    }
    block.start(octets, from, length);
    list.start();
    repeatable = true;
    sizeUpdates = 0;
    Decoded decoded = readFields() ? list.finish() : block.fault().broken();
    list.release();
    if (secret) {
      strings.wipe();
    }
    strings.release();
    block.release();
    if (table.version() != lastVersion) { // the table is changing: no block repeats
      lastVersion = table.version();
    } else if (repeatable && decoded instanceof HeaderList complete) {
      repeatedBlocks.offer(octets, from, length, complete, lastVersion);
    }
    return decoded;
  }

  private boolean isShrinkingDue() {
    return table.capacityBytes() > maxTableBytes;
  }

  private boolean readFields() {
    boolean sound = !isShrinkingDue() || requireSizeUpdate();
    boolean inFields = false;
    while (sound && block.remaining() > 0) {
      int first = block.peek();
      if (first >= INDEXED_FLAG) {
        sound = readIndexed();
        inFields = true;
      } else if (first >= INCREMENTAL_FLAG) {
        sound = readLiteral(6, Indexing.ALLOWED);
        inFields = true;
      } else if (first >= SIZE_UPDATE_FLAG) {
        sound = inFields ? broken(HeaderBlockFault.SIZE_UPDATE_LATE) : readSizeUpdate();
      } else {
        sound = readLiteral(4, first >= NEVER_FLAG ? Indexing.NEVER : Indexing.SKIPPED);
        inFields = true;
      }
    }
    return sound;
  }

  /** The block fails, and this returns false, unless it begins with a size update. */
  private boolean requireSizeUpdate() {
    int first = block.remaining() > 0 ? block.peek() : 0;
    return (first >= SIZE_UPDATE_FLAG && first < INCREMENTAL_FLAG)
        || broken(HeaderBlockFault.SIZE_UPDATE_MISSING);
  }

  private boolean readIndexed() {
    int expected = list.follow(block, fields);
    block.skip(expected);
    return expected > 0 || readIndex();
  }

  private boolean readIndex() {
    int index = block.integer(7);
    if (!requireField(index)) {
      return false;
    }
    list.add(fields.field(index));
    return true;
  }

  private boolean readLiteral(int prefixBits, Indexing indexing) {
    repeatable &= indexing == Indexing.SKIPPED;
    secret |= indexing == Indexing.NEVER;
    int nameIndex = block.integer(prefixBits);
    if (nameIndex != 0 && !requireField(nameIndex)) {
      return false;
    }
    int tableRoomBytes = indexing == Indexing.ALLOWED ? table.capacityBytes() : 0;
    int roomBytes = Math.max(list.roomBytes(), tableRoomBytes) - HeaderField.OVERHEAD_BYTES;
    String name = "";
    int nameBytes;
    if (nameIndex == 0) {
      nameBytes = strings.readName(block, roomBytes);
      name = strings.text();
    } else {
      name = fields.name(nameIndex);
      nameBytes = name.length();
    }
    return nameBytes >= 0 && readValue(name, nameBytes, indexing, roomBytes);
  }

  private boolean readValue(String name, int nameBytes, Indexing indexing, int roomBytes) {
    if (nameBytes <= roomBytes && readKnownValue(name, indexing, roomBytes)) {
      return true;
    }
    int from = block.position();
    int valueBytes = strings.readValue(block, roomBytes - nameBytes);
    if (valueBytes < 0) {
      return false;
    }
    if (nameBytes + valueBytes <= roomBytes) {
      HeaderField field = new HeaderField(name, strings.text(), indexing);
      recentFields.offer(field, block.octets(), from);
      list.add(field);
      index(field);
    } else {
      pass(nameBytes + valueBytes + HeaderField.OVERHEAD_BYTES, indexing);
    }
    return true;
  }

  /** Reads a value that arrived with that name before, if it did. */
  private boolean readKnownValue(String name, Indexing indexing, int roomBytes) {
    int known = recentFields.find(name, indexing, block);
    if (known == RecentFields.UNKNOWN) {
      return false;
    }
    HeaderField field = recentFields.field(known);
    if (field.sizeBytes() - HeaderField.OVERHEAD_BYTES > roomBytes) {
      return false;
    }
    block.skip(recentFields.literalBytes(known));
    list.add(field);
    index(field);
    return true;
  }

  private void index(HeaderField field) {
    if (field.indexing() == Indexing.ALLOWED) {
      table.add(field);
    }
  }

  /** Skips a field for which neither the list nor the table has space. */
  private void pass(int fieldBytes, Indexing indexing) {
    list.count(fieldBytes);
    if (indexing == Indexing.ALLOWED) {
      table.clear(); // §4.4: adding what is larger than the table empties it
    }
  }

  private boolean readSizeUpdate() {
    repeatable = false;
    int bytes = block.integer(5);
    if (bytes < 0) {
      return false;
    }
    if (bytes > maxTableBytes) {
      return broken(HeaderBlockFault.SIZE_UPDATE_TOO_LARGE);
    }
    if (++sizeUpdates > MAX_SIZE_UPDATES) {
      return broken(HeaderBlockFault.SIZE_UPDATE_REPEATED);
    }
    table.setCapacityBytes(bytes);
    return true;
  }

  /** The block fails, and this returns false, unless the index refers to a field. */
  private boolean requireField(int index) {
    if (index < 0) {
      return false; // the integer was broken, and the block knows it
    }
    if (index == 0) {
      return broken(HeaderBlockFault.INDEX_ZERO);
    }
    return fields.has(index) || broken(HeaderBlockFault.INDEX_PAST_TABLE);
  }

  private boolean broken(HeaderBlockFault fault) {
    block.fail(fault);
    return false;
  }
}
