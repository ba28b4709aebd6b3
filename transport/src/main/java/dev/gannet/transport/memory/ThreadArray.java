package dev.gannet.transport.memory;

/**
 * An array of each thread, for bytes that are needed for a moment only: the connections and calls
 * of one event loop share it, so that none keeps an array of its own. Safe for all threads.
 */
public final class ThreadArray {
  /** A longer array is not kept. */
  public static final int MAX_KEPT_BYTES = 16 << 10;

  private static final int LEAST_BYTES = 1 << 10;
  private static final byte[] NOTHING = {};

  private final ThreadLocal<byte[]> arrays = ThreadLocal.withInitial(() -> NOTHING);

  /**
   * An array of at least that length, with anything in it, which the calling thread may use until
   * it calls this again.
   */
  public byte[] ofAtLeast(int bytes) {
    byte[] array = arrays.get();
    return bytes <= array.length ? array : larger(bytes);
  }

  private byte[] larger(int bytes) {
    if (bytes > MAX_KEPT_BYTES) {
      return new byte[bytes];
    }
    byte[] array = new byte[Math.max(LEAST_BYTES, Integer.highestOneBit(bytes - 1) << 1)];
    arrays.set(array);
    return array;
  }
}
