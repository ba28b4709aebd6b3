package dev.gannet.transport;

import dev.gannet.protocol.ArraySource;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Arrays for large messages that were used and may be used again: the heap need not be asked for
 * megabytes, and clear them, with each message.
 *
 * <p>Arrays come in sizes of which each is at most a quarter larger than the one before, with a
 * little on top: payloads are powers of two, and have something around them. Who has taken an array
 * owns it; who gives it back must not touch it again. One that is never given back is no loss: it
 * is garbage like any other. What is in an array is what its last owner left.
 *
 * <p>All threads share them, without a lock. Together they hold at most a 64th of the largest heap,
 * 16 MiB at the most.
 */
public final class SpareArrays implements ArraySource {
  /** What all connections of the process share. */
  public static final SpareArrays SHARED =
      new SpareArrays(Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 64));

  /** What messages have around their payloads. */
  private static final int SLACK_BYTES = 256;

  /** Arrays below this are made and forgotten. */
  public static final int SMALLEST_BYTES = (32 << 10) + SLACK_BYTES;

  private static final int LARGEST_BYTES = (8 << 20) + SLACK_BYTES;
  private static final int LOWEST_POWER = 15;
  private static final int STEPS = 4; // from one power of two to the next
  private static final int SPARES_OF_A_SIZE = 64; // as many calls may be at work on one size

  private static final byte[] NONE = {};

  private final long mostBytes;
  private final AtomicReferenceArray<byte[]> spares =
      new AtomicReferenceArray<>((indexOf(LARGEST_BYTES) + 1) * SPARES_OF_A_SIZE);
  private final AtomicLong spareBytes = new AtomicLong();

  /** Which is dropped next when there are too many. */
  private final AtomicInteger next = new AtomicInteger();

  /**
   * None is kept yet.
   *
   * @param mostBytes how much may be kept
   */
  SpareArrays(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** An array of at least that many bytes; of exactly so many where it is small or very large. */
  @Override
  public byte[] take(int leastBytes) {
    if (leastBytes < SMALLEST_BYTES || leastBytes > LARGEST_BYTES) {
      return new byte[leastBytes];
    }
    int index = indexOf(leastBytes);
    byte[] spare = spareOf(index);
    return spare.length == 0 ? new byte[sizeOf(index)] : spare;
  }

  @Override
  public byte[] take(int leastBytes, int wishedBytes) {
    if (wishedBytes < SMALLEST_BYTES || wishedBytes > LARGEST_BYTES) {
      return take(leastBytes);
    }
    byte[] spare = spareOf(indexOf(wishedBytes));
    return spare.length == 0 ? take(leastBytes) : spare;
  }

  private byte[] spareOf(int index) {
    int first = index * SPARES_OF_A_SIZE;
    for (int i = first; i < first + SPARES_OF_A_SIZE; i++) {
      if (spares.getPlain(i) != null) {
        byte[] spare = spares.getAndSet(i, null);
        if (spare != null) {
          spareBytes.addAndGet(-spare.length);
          return spare;
        }
      }
    }
    return NONE;
  }

  /** Gives back the array of a buffer that has all of it; other buffers are left alone. */
  public void give(ByteBuffer buffer) {
    if (buffer.hasArray() && buffer.arrayOffset() == 0) {
      give(buffer.array());
    }
  }

  /** Gives an array back that was taken here; any other is left alone. */
  @Override
  public void give(byte[] array) {
    if (array.length < SMALLEST_BYTES || array.length > LARGEST_BYTES) {
      return;
    }
    int index = indexOf(array.length);
    if (sizeOf(index) != array.length) {
      return;
    }
    if (put(index, array) && spareBytes.addAndGet(array.length) > mostBytes) {
      dropSome();
    }
  }

  /** In turn, so that sizes which nobody takes any more are dropped before long. */
  private void dropSome() {
    for (int i = 0; i < spares.length() && spareBytes.get() > mostBytes; i++) {
      int index = Math.floorMod(next.getAndIncrement(), spares.length());
      byte[] dropped = spares.getPlain(index) == null ? null : spares.getAndSet(index, null);
      if (dropped != null) {
        spareBytes.addAndGet(-dropped.length);
      }
    }
  }

  private boolean put(int index, byte[] array) {
    int first = index * SPARES_OF_A_SIZE;
    for (int i = first; i < first + SPARES_OF_A_SIZE; i++) {
      if (spares.getPlain(i) == null && spares.compareAndSet(i, null, array)) {
        return true;
      }
    }
    return false;
  }

  /** The first size that is not below so many bytes. */
  private static int indexOf(int bytes) {
    int round = bytes - SLACK_BYTES;
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(round);
    int step = (1 << power) / STEPS;
    int above = (round - (1 << power) + step - 1) / step;
    return (power - LOWEST_POWER) * STEPS + above;
  }

  private static int sizeOf(int index) {
    int base = 1 << (LOWEST_POWER + index / STEPS);
    return base + base / STEPS * (index % STEPS) + SLACK_BYTES;
  }
}
