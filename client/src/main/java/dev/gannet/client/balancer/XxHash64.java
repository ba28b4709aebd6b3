package dev.gannet.client.balancer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** XXH64, the hash that ring_hash is built on in all of gRPC (gRFC A42). */
final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;
  private static final int STRIPE_BYTES = 32;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /** The hash of a text in UTF-8, with seed 0. */
  static long of(String text) {
    return of(text, 0);
  }

  static long of(String text, long seed) {
    return of(text.getBytes(StandardCharsets.UTF_8), seed);
  }

  static long of(byte[] bytes, long seed) {
    int at = 0;
    long hash = seed + PRIME_5;
    if (bytes.length >= STRIPE_BYTES) {
      long[] lanes = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
      for (; at <= bytes.length - STRIPE_BYTES; at += STRIPE_BYTES) {
        for (int i = 0; i < lanes.length; i++) {
          lanes[i] = round(lanes[i], longAt(bytes, at + i * Long.BYTES));
        }
      }
      hash = merged(lanes);
    }
    return avalanche(tail(hash + bytes.length, bytes, at));
  }

  private static long merged(long[] lanes) {
    long hash =
        Long.rotateLeft(lanes[0], 1)
            + Long.rotateLeft(lanes[1], 7)
            + Long.rotateLeft(lanes[2], 12)
            + Long.rotateLeft(lanes[3], 18);
    for (long lane : lanes) {
      hash = (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
    }
    return hash;
  }

  private static long tail(long begun, byte[] bytes, int from) {
    long hash = begun;
    int at = from;
    for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
      hash = Long.rotateLeft(hash ^ round(0, longAt(bytes, at)), 27) * PRIME_1 + PRIME_4;
    }
    if (at <= bytes.length - Integer.BYTES) {
      long word = (int) INTS.get(bytes, at) & 0xffff_ffffL;
      hash = Long.rotateLeft(hash ^ word * PRIME_1, 23) * PRIME_2 + PRIME_3;
      at += Integer.BYTES;
    }
    for (; at < bytes.length; at++) {
      hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    return hash;
  }

  private static long avalanche(long mixed) {
    long hash = (mixed ^ mixed >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }

  private static long round(long lane, long word) {
    return Long.rotateLeft(lane + word * PRIME_2, 31) * PRIME_1;
  }

  private static long longAt(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }
}
