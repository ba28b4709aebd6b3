package dev.gannet.suites.storm;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.suites.Side;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Writes loads, and checks every byte when it reads them. */
final class LoadMarshaller implements Marshaller<Load> {
  private static final int HEAD_BYTES = 4 * Integer.BYTES;
  private static final int LARGEST_BYTES = 1 << 21;
  private static final int OFFSETS = 1 << 16;
  private static final byte[] PATTERN = pattern();

  private static byte[] pattern() {
    SplittableRandom random = new SplittableRandom(0);
    byte[] pattern = new byte[OFFSETS + LARGEST_BYTES];
    for (int i = 0; i < pattern.length; i++) {
      pattern[i] = (byte) random.nextInt(1 << 5); // so that gzip can compress something
    }
    return pattern;
  }

  @Override
  public boolean hasImmutableMessages() {
    return true;
  }

  /** The bytes of the message. */
  static int sizeOf(Load load) {
    return load.bytes() == Load.EMPTY ? 0 : HEAD_BYTES + load.bytes();
  }

  @Override
  public void write(Load load, MessageSink sink) {
    if (load.bytes() == Load.EMPTY) {
      sink.reserve(0);
      return;
    }
    sink.reserve(HEAD_BYTES + load.bytes())
        .putInt(load.call())
        .putInt(numberOf(load.from()))
        .putInt(load.index())
        .putInt(load.bytes())
        .put(PATTERN, offset(load), load.bytes());
  }

  /**
   * Reads one.
   *
   * @throws IllegalStateException if a byte is wrong, missing or too many
   */
  @Override
  public Load parse(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return Load.of(0, Side.CLIENT, 0, Load.EMPTY);
    }
    if (bytes.remaining() < HEAD_BYTES) {
      throw new IllegalStateException("a message of " + bytes.remaining() + " bytes");
    }
    Load load =
        new Load(
            bytes.getInt(),
            bytes.getInt() == 0 ? Side.CLIENT : Side.SERVER,
            bytes.getInt(),
            bytes.getInt());
    if (bytes.remaining() != load.bytes()) {
      throw new IllegalStateException(load + " came with " + bytes.remaining() + " bytes");
    }
    int wrong = bytes.mismatch(ByteBuffer.wrap(PATTERN, offset(load), load.bytes()));
    if (wrong >= 0) {
      throw new IllegalStateException("byte " + wrong + " of " + load + " is wrong");
    }
    return load;
  }

  private static int offset(Load load) {
    return (load.call() * 31 + load.index() * 7 + numberOf(load.from())) & (OFFSETS - 1);
  }

  private static int numberOf(Side side) {
    return side == Side.CLIENT ? 0 : 1;
  }
}
