package dev.gannet.protocol;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses one message: one or more gzip members and nothing after them (RFC 1952), into at
 * most as many bytes as allowed, in an array that grows with input and output.
 *
 * <p>A member's last four bytes are its length. A message whose last member is too long is rejected
 * before anything is decompressed; and if there is only one member, as in everything that gRPC
 * libraries send, the array is no longer than necessary. A message that contains more than its end
 * declares, because there are earlier members or because the length is false, may do so only within
 * a limit; otherwise a few forged bytes would cause much work again and again.
 *
 * <p>A member takes at least 20 bytes, and beginning one costs about as much as inflating 32 times
 * that: so {@link #saidBytes} is a measure of the work that a message causes, however many members
 * it has.
 *
 * <p>A caller that sets a maximum ratio adds another limit: beyond {@value #ANY_RATIO_BYTES} bytes,
 * a message may be at most that many times as long as its compressed form.
 */
final class GzipReader {
  private static final int HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int FIRST_BYTE = 0x1f;
  private static final int SECOND_BYTE = 0x8b;
  private static final int DEFLATE = 8;
  private static final int BYTES_OF_TIME_HINT_AND_SYSTEM = 6;

  private static final int HEADER_CRC_FLAG = 1 << 1;
  private static final int EXTRA_FLAG = 1 << 2;
  private static final int NAME_FLAG = 1 << 3;
  private static final int COMMENT_FLAG = 1 << 4;
  private static final int RESERVED_FLAGS = 0xe0;

  private static final int MIN_BUFFER_BYTES = 256;
  private static final int EXPECTED_RATIO = 4;
  private static final int UNSAID_BYTES = 4 << 10;
  private static final int UNSAID_RATIO = 16;
  private static final int LARGEST_RATIO = 1032; // of deflate: 258 bytes in two bits
  private static final int ANY_RATIO_BYTES = 4 << 20;

  private final ByteBuffer in;
  private final ArraySource arrays;
  private final int maxBytes;
  private final long lastMemberBytes;
  private final int mostBytes;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private byte[] out = {};
  private int used;

  private GzipReader(ByteBuffer in, int maxBytes, long lastMemberBytes, ArraySource arrays) {
    this.in = in;
    this.arrays = arrays;
    this.maxBytes = maxBytes;
    this.lastMemberBytes = lastMemberBytes;
    long unsaidBytes = Math.max(UNSAID_BYTES, (long) in.remaining() * UNSAID_RATIO);
    this.mostBytes = (int) Math.min(maxBytes, Math.max(lastMemberBytes, unsaidBytes));
  }

  /**
   * The declared length of the last member; almost nothing if that is impossible, as for truncated
   * data. Does not change the position.
   */
  static long saidBytes(ByteBuffer in) {
    if (in.remaining() < HEADER_BYTES + TRAILER_BYTES) {
      return 0;
    }
    int end = in.limit();
    long said = 0;
    for (int i = 1; i <= Integer.BYTES; i++) {
      said = (said << 8) | (in.get(end - i) & 0xff);
    }
    return said <= (long) in.remaining() * LARGEST_RATIO ? said : 0;
  }

  /**
   * Decompresses what is between position and limit.
   *
   * @param limitBytes how long the message may be, 0 to {@link MessageFrame#MAX_MESSAGE_BYTES}
   * @param maxRatio how many times as long as its compressed form the message may be
   * @param arrays the source of the array of a {@linkplain Unzipped.Whole whole} message, which
   *     then belongs to the caller; all other arrays are given back
   */
  static Unzipped read(ByteBuffer in, int limitBytes, int maxRatio, ArraySource arrays) {
    long fairBytes = Math.max(ANY_RATIO_BYTES, (long) in.remaining() * maxRatio);
    int maxBytes = (int) Math.min(limitBytes, fairBytes);
    long lastMemberBytes = saidBytes(in);
    if (lastMemberBytes > maxBytes) {
      return new Unzipped.TooLarge(maxBytes);
    }
    return new GzipReader(in, maxBytes, lastMemberBytes, arrays).read();
  }

  private Unzipped read() {
    boolean whole = false;
    try {
      out = arrays.take(bufferBytes((long) in.remaining() * EXPECTED_RATIO));
      Unzipped unzipped = readMembers();
      whole = unzipped instanceof Unzipped.Whole;
      return unzipped;
    } catch (DataFormatException e) {
      return new Unzipped.Broken("its compressed data are malformed");
    } finally {
      inflater.end();
      if (!whole) {
        arrays.give(out);
      }
    }
  }

  private Unzipped readMembers() throws DataFormatException {
    do {
      if (!skipHeader()) {
        return new Unzipped.Broken("a gzip header is missing or malformed");
      }
      int from = used;
      inflateMember();
      if (used > maxBytes) {
        return new Unzipped.TooLarge(maxBytes);
      }
      if (used > mostBytes) {
        return new Unzipped.Broken("it contains far more data than its end states");
      }
      if (!inflater.finished()) {
        return new Unzipped.Broken("its compressed data are cut off");
      }
      if (!trailerMatches(from)) {
        return new Unzipped.Broken("its checksum or length is wrong");
      }
    } while (in.hasRemaining());
    return new Unzipped.Whole(ByteBuffer.wrap(out, 0, used));
  }

  /** Inflates until the member ends, or its data end, or there is one byte too many. */
  private void inflateMember() throws DataFormatException {
    inflater.reset();
    inflater.setInput(in);
    int inflatedBytes;
    do {
      if (used == out.length) {
        grow();
      }
      inflatedBytes = inflater.inflate(out, used, Math.min(out.length, mostBytes + 1) - used);
      used += inflatedBytes;
    } while (inflatedBytes > 0 && !inflater.finished() && used <= mostBytes);
  }

  private void grow() {
    byte[] larger = arrays.take(bufferBytes(out.length * 2L));
    System.arraycopy(out, 0, larger, 0, used);
    arrays.give(out);
    out = larger;
  }

  /**
   * The size of the buffer when this much is wanted: at most one byte more than allowed, and one
   * more than the declared length as long as no more has been inflated.
   */
  private int bufferBytes(long wantedBytes) {
    long bufferBytes = used <= lastMemberBytes ? lastMemberBytes : mostBytes;
    return (int) Math.min(Math.max(wantedBytes, MIN_BUFFER_BYTES), bufferBytes + 1);
  }

  private boolean trailerMatches(int memberFrom) {
    if (in.remaining() < TRAILER_BYTES) {
      return false;
    }
    crc.reset();
    crc.update(out, memberFrom, used - memberFrom);
    return nextInt() == (int) crc.getValue() && nextInt() == used - memberFrom;
  }

  private boolean skipHeader() {
    int start = in.position();
    if (in.remaining() < HEADER_BYTES
        || nextByte() != FIRST_BYTE
        || nextByte() != SECOND_BYTE
        || nextByte() != DEFLATE) {
      return false;
    }
    int flags = nextByte();
    in.position(in.position() + BYTES_OF_TIME_HINT_AND_SYSTEM);
    return (flags & RESERVED_FLAGS) == 0
        && ((flags & EXTRA_FLAG) == 0 || skipExtra())
        && ((flags & NAME_FLAG) == 0 || skipText())
        && ((flags & COMMENT_FLAG) == 0 || skipText())
        && ((flags & HEADER_CRC_FLAG) == 0 || headerCrcMatches(start));
  }

  private boolean skipExtra() {
    if (in.remaining() < Short.BYTES) {
      return false;
    }
    int lengthBytes = nextShort();
    if (in.remaining() < lengthBytes) {
      return false;
    }
    in.position(in.position() + lengthBytes);
    return true;
  }

  private boolean skipText() {
    while (in.hasRemaining()) {
      if (in.get() == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean headerCrcMatches(int start) {
    if (in.remaining() < Short.BYTES) {
      return false;
    }
    crc.reset();
    crc.update(in.slice(start, in.position() - start));
    return nextShort() == (crc.getValue() & 0xffff);
  }

  private int nextByte() {
    return in.get() & 0xff;
  }

  private int nextShort() {
    return nextByte() | nextByte() << 8;
  }

  private int nextInt() {
    return nextShort() | nextShort() << 16;
  }
}
