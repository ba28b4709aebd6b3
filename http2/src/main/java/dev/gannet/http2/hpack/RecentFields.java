package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The fields that recently arrived as literals, by name and the bytes of the value: a literal that
 * is sent again becomes the same object, with its attachment, and its text is not decoded again.
 *
 * <p>A field is kept from its second time on, so values that do not repeat cost nothing here.
 * Memory is bounded: 64 fields of up to 64 bytes of name and 96 of value on the wire. Secrets are
 * not kept.
 */
final class RecentFields {
  /** Returned by {@link #find} for a literal that it does not know. */
  static final int UNKNOWN = -1;

  private static final int SLOT_BITS = 6;
  private static final int ROW = 4;

  /** Enough that a field is still noted when it has left the table and arrives again. */
  private static final int NOTE_BITS = 8;

  private static final int MAX_NAME_BYTES = 64;

  /** The longest literal worth keeping, including its length, which is therefore one byte. */
  private static final int MAX_LITERAL_BYTES = 97;

  private static final int LENGTH_MASK = 0x7f;

  private static final byte[] NOTHING = {};

  private final HeaderField[] fields = new HeaderField[1 << SLOT_BITS];
  private final byte[][] literals = new byte[1 << SLOT_BITS][];
  private final int[] seenOnce = new int[1 << NOTE_BITS];

  // The last literal that was looked for; a length of 0 means that it cannot be kept.
  private long hash;
  private int length;

  RecentFields() {
    Arrays.fill(fields, HeaderList.VACANT);
    Arrays.fill(literals, NOTHING);
  }

  /** The index of the field whose value is the next string literal, or UNKNOWN. */
  int find(String name, Indexing indexing, BlockReader block) {
    length = lengthOfNext(name, indexing, block);
    if (length == 0) {
      return UNKNOWN;
    }
    hash = OctetHash.of(name.hashCode(), block.octets(), block.position(), length);
    int first = firstOfRow();
    for (int place = first; place < first + ROW; place++) {
      if (isAt(place, name, indexing, block)) {
        put(first, place, fields[place], literals[place]);
        return first;
      }
    }
    return UNKNOWN;
  }

  private boolean isAt(int place, String name, Indexing indexing, BlockReader block) {
    int from = block.position();
    byte[] literal = literals[place];
    return literal.length == length
        && fields[place].indexing() == indexing
        && Arrays.equals(block.octets(), from, from + length, literal, 0, length)
        && fields[place].name().equals(name);
  }

  /**
   * Moves a field to the front of its row; those before {@code place} move back, and the one at
   * {@code place} is dropped.
   */
  private void put(int first, int place, HeaderField field, byte[] literal) {
    for (int i = place; i > first; i--) {
      fields[i] = fields[i - 1];
      literals[i] = literals[i - 1];
    }
    fields[first] = field;
    literals[first] = literal;
  }

  /** The field at an index that was found. */
  HeaderField field(int place) {
    return fields[place];
  }

  /** The bytes of the value of the field at an index, preceded by their length. */
  int literalBytes(int place) {
    return literals[place].length;
  }

  /**
   * Offers the field made of the last literal that was looked for; the first time it is only noted.
   */
  void offer(HeaderField field, byte[] octets, int from) {
    if (length == 0) {
      return;
    }
    int note = (int) (hash >>> (Long.SIZE - NOTE_BITS));
    if (seenOnce[note] == (int) hash) {
      int first = firstOfRow();
      put(first, first + ROW - 1, field, Arrays.copyOfRange(octets, from, from + length));
    } else {
      seenOnce[note] = (int) hash;
    }
  }

  private static int lengthOfNext(String name, Indexing indexing, BlockReader block) {
    if (indexing == Indexing.NEVER || name.length() > MAX_NAME_BYTES || block.remaining() == 0) {
      return 0;
    }
    int bytes = (block.peek() & LENGTH_MASK) + 1;
    return bytes <= MAX_LITERAL_BYTES && bytes <= block.remaining() ? bytes : 0;
  }

  /** A row holds the fields of similar hash, the most recently used first. */
  private int firstOfRow() {
    return (int) (hash >>> (Long.SIZE - SLOT_BITS)) & -ROW;
  }
}
