package dev.gannet.fuzz.targets;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Bytes in pieces of all sizes, as a network might deliver them: in heap and direct buffers, some
 * with an offset. Each is overwritten after it was read, so that later reads are noticed.
 */
final class Pieces {
  private static final int LARGEST_PIECE_BITS = 12;
  private static final int KINDS = 3;
  private static final int OFFSET = 3;
  private static final byte SPOILT = (byte) 0xa5;

  /** The approximate heap size of a piece in addition to its bytes. */
  private static final int COST_BYTES = 128;

  // One buffer for all: allocating direct memory for each piece would trigger the garbage
  // collector.
  private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(1 << LARGEST_PIECE_BITS);

  private record Cut(int from, int bytes, int kind) {}

  private final byte[] bytes;
  private final List<Cut> cuts = new ArrayList<>();

  private Pieces(byte[] bytes) {
    this.bytes = bytes;
  }

  /** All bytes in one piece. */
  static Pieces whole(byte[] bytes) {
    Pieces one = new Pieces(bytes);
    one.cuts.add(new Cut(0, bytes.length, 0));
    return one;
  }

  /** The cuts of this seed. */
  static Pieces of(byte[] bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Pieces pieces = new Pieces(bytes);
    for (int at = 0; at < bytes.length; ) {
      int wanted = 1 + random.nextInt(1 << random.nextInt(LARGEST_PIECE_BITS + 1));
      int size = Math.min(bytes.length - at, wanted);
      pieces.cuts.add(new Cut(at, size, random.nextInt(KINDS)));
      at += size;
    }
    return pieces;
  }

  /** The maximum heap that is needed to deliver them once. */
  long costBytes() {
    return bytes.length + (long) COST_BYTES * cuts.size();
  }

  /** Delivers one piece after the other. */
  void forEach(Consumer<ByteBuffer> reader) {
    for (Cut cut : cuts) {
      ByteBuffer buffer = buffer(cut);
      int from = buffer.position();
      int limit = buffer.limit();
      reader.accept(buffer);
      Finding.unless(buffer.limit() == limit, "a reader moved the limit of a piece");
      for (int i = from; i < limit; i++) {
        buffer.put(i, SPOILT);
      }
    }
  }

  private ByteBuffer buffer(Cut cut) {
    ByteBuffer empty =
        switch (cut.kind) {
          case 0 -> ByteBuffer.allocate(cut.bytes);
          case 1 -> DIRECT.clear().limit(cut.bytes);
          default -> ByteBuffer.allocate(cut.bytes + 2 * OFFSET).slice(OFFSET, cut.bytes);
        };
    return empty.put(bytes, cut.from, cut.bytes).flip();
  }
}
