package dev.gannet.http2.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes bytes for small caches with a fixed number of entries for each hash. A peer that finds
 * collisions only displaces its own entries and gains nothing: no search takes longer.
 */
final class OctetHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * An odd number without a pattern; the top bits of a product mix everything that was multiplied.
   */
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private OctetHash() {}

  /** Mixes {@code seed} and the bytes; all bits can be used. */
  static long of(long seed, byte[] octets, int from, int length) {
    long hash = (seed ^ length) * MIX;
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(octets, from + i)) * MIX;
      hash ^= hash >>> 32;
    }
    hash = (hash ^ rest(octets, from, i, length)) * MIX;
    return hash ^ hash >>> 32; // the last bytes have only reached the high bits
  }

  /**
   * The remaining bytes; if eight can be read at once, together with some that were read before.
   */
  private static long rest(byte[] octets, int from, int done, int length) {
    if (length >= Long.BYTES) {
      return done == length ? 0 : (long) LONGS.get(octets, from + length - Long.BYTES);
    }
    long rest = 0;
    for (int i = 0; i < length; i++) {
      rest = rest << Byte.SIZE | (octets[from + i] & 0xff);
    }
    return rest;
  }
}
