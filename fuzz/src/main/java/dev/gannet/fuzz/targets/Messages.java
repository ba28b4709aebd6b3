package dev.gannet.fuzz.targets;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Chunks of an input as messages on the wire. A fuzzer finds neither lengths nor checksums by
 * chance, so they are made here.
 *
 * <pre>
 *   0: message as it is            1: message, gzipped
 *   2: flag (1) and bytes          3: deflated data, made one gzip member with the right checksum
 *   4: bytes as they are           5: message, gzipped in two members
 *   6: zeros, so many KiB (1), gzipped
 * </pre>
 */
final class Messages {
  private static final int KINDS = 7;
  private static final int LARGEST_INFLATED_BYTES = 64 << 10;
  private static final int DEFLATE_OVERHEAD_BYTES = 64; // a few, even if nothing becomes shorter

  // One for all runs: creating them costs more than most messages do.
  private static final Deflater DEFLATER = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private static final Inflater INFLATER = new Inflater(true);

  private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};

  private Messages() {}

  static byte[] of(List<byte[]> chunks) {
    return Bytes.join(chunks.stream().map(Messages::of).toArray(byte[][]::new));
  }

  static byte[] of(byte[] chunk) {
    Input in = new Input(chunk);
    return switch (in.octet() % KINDS) {
      case 0 -> framed(0, in.rest());
      case 1 -> framed(1, gzipped(in.rest()));
      case 2 -> framed(in.octet(), in.rest());
      case 3 -> framed(1, member(in.rest()));
      case 5 -> {
        byte[] half = in.octets(chunk.length / 2);
        yield framed(1, Bytes.join(gzipped(half), gzipped(in.rest())));
      }
      case 6 -> framed(1, gzipped(new byte[(in.octet() & 0x7f) << 10]));
      default -> in.rest();
    };
  }

  static byte[] framed(int flag, byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) flag)
        .putInt(message.length)
        .put(message)
        .array();
  }

  static byte[] gzipped(byte[] message) {
    byte[] deflated = new byte[message.length + DEFLATE_OVERHEAD_BYTES];
    DEFLATER.reset();
    DEFLATER.setInput(message);
    DEFLATER.finish();
    int bytes = DEFLATER.deflate(deflated);
    return member(Arrays.copyOf(deflated, bytes), message);
  }

  /** The data between a gzip header and a correct trailer, if they can be inflated. */
  private static byte[] member(byte[] deflated) {
    return member(deflated, inflate(deflated));
  }

  private static byte[] member(byte[] deflated, byte[] inflated) {
    CRC32 crc = new CRC32();
    crc.update(inflated);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt((int) crc.getValue()).putInt(inflated.length);
    return Bytes.join(GZIP_HEADER, deflated, trailer.array());
  }

  private static byte[] inflate(byte[] deflated) {
    byte[] inflated = new byte[LARGEST_INFLATED_BYTES];
    INFLATER.reset();
    INFLATER.setInput(deflated);
    try {
      return Arrays.copyOf(inflated, INFLATER.inflate(inflated));
    } catch (DataFormatException e) {
      return new byte[0];
    }
  }
}
