package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * The fields that lately arrived as literals, by name and the octets of the value: a literal sent
 * again is the same object, with its meaning, and its text is not decoded anew.
 *
 * <p>A field is kept from its second time on, so values that never come again cost nothing here.
 * Memory is bounded: 64 fields of up to 64 octets of name and 96 of value on the wire. Secrets are
 * not kept.
 */
final class RecentFields {
  /** What {@link #find} answers for a literal it does not know. */
  static final int UNKNOWN = -1;

  private static final int SLOT_BITS = 6;
  private static final int ROW = 4;

  /** Enough that a field is still noted when it leaves the table and comes again. */
  private static final int NOTE_BITS = 8;

  private static final int MAX_NAME_BYTES = 64;

  /** The longest literal worth keeping, its length octet included; so the length is one octet. */
  private static final int MAX_LITERAL_BYTES = 97;

  private static final int LENGTH_MASK = 0x7f;

  private static final byte[] NOTHING = {};

  private final HeaderField[] fields = new HeaderField[1 << SLOT_BITS];
  private final byte[][] literals = new byte[1 << SLOT_BITS][];
  private final int[] seenOnce = new int[1 << NOTE_BITS];

  // The literal last looked for; a length of 0 says that it cannot be kept.
  private long hash;
  private int length;

  RecentFields() {
    Arrays.fill(fields, HeaderList.VACANT);
    Arrays.fill(literals, NOTHING);
  }

  /** The place of the field whose value is the string literal that comes next, or UNKNOWN. */
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

  /** Puts a field first in its row; those before {@code place} move on, and what is there goes. */
  private void put(int first, int place, HeaderField field, byte[] literal) {
    for (int i = place; i > first; i--) {
      fields[i] = fields[i - 1];
      literals[i] = literals[i - 1];
    }
    fields[first] = field;
    literals[first] = literal;
  }

  /** The field at a place that was found. */
  HeaderField field(int place) {
    return fields[place];
  }

  /** The octets of the value of the field at a place, with their length before them. */
  int literalBytes(int place) {
    return literals[place].length;
  }

  /** Offers the field made of the literal last looked for; the first time it is only noted. */
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

  /** A row holds the fields of similar hash, the one used last first. */
  private int firstOfRow() {
    return (int) (hash >>> (Long.SIZE - SLOT_BITS)) & -ROW;
  }
}
