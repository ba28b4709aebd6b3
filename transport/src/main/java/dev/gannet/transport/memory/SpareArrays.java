package dev.gannet.transport.memory;

import dev.gannet.protocol.ArraySource;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of arrays for large messages, so that the heap does not have to allocate and clear
 * megabytes for each message.
 *
 * <p>Arrays come in fixed sizes, each at most a quarter larger than the one before, plus a little:
 * payload sizes are often powers of two, and messages have some bytes around them. The caller that
 * took an array owns it; after giving it back, the caller must not use it again. An array that is
 * never given back is simply garbage. A new owner finds in the array what the last owner left
 * there.
 *
 * <p>All threads share the pool, without a lock. In total it keeps at most a 64th of the maximum
 * heap size, and at most 16 MiB.
 */
public final class SpareArrays implements ArraySource {
  /** Shared by all connections of the process. */
  public static final SpareArrays SHARED =
      new SpareArrays(Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 64));

  /** The bytes that messages have around their payloads. */
  private static final int SLACK_BYTES = 256;

  /** Arrays smaller than this are not pooled. */
  public static final int SMALLEST_BYTES = (32 << 10) + SLACK_BYTES;

  private static final int LARGEST_BYTES = (8 << 20) + SLACK_BYTES;
  private static final int LOWEST_POWER = 15;
  private static final int STEPS = 4; // sizes from one power of two to the next
  private static final int SPARES_OF_A_SIZE =
      64; // this many calls may use arrays of one size at the same time

  private static final byte[] NONE = {};

  private final long mostBytes;
  private final AtomicReferenceArray<byte[]> spares =
      new AtomicReferenceArray<>((indexOf(LARGEST_BYTES) + 1) * SPARES_OF_A_SIZE);
  private final AtomicLong spareBytes = new AtomicLong();

  /** The index of the array that is dropped next when there are too many. */
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Creates an empty pool.
   *
   * @param mostBytes how many bytes may be kept
   */
  SpareArrays(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** An array of at least this many bytes; of exactly that length if it is small or very large. */
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

  /** Gives back the array of a buffer that uses all of it; other buffers are ignored. */
  public void give(ByteBuffer buffer) {
    if (buffer.hasArray() && buffer.arrayOffset() == 0) {
      give(buffer.array());
    }
  }

  /** Gives back an array that was taken here; any other array is ignored. */
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

  /** Drops arrays round robin, so that sizes that nobody takes any more are dropped before long. */
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

  /** The index of the first size that has at least this many bytes. */
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
