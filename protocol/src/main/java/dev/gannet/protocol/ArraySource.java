package dev.gannet.protocol;

/**
 * Creates the arrays of messages, and may take them back when nothing needs them any more. Giving
 * back is optional: an array that is not given back is simply garbage.
 */
public interface ArraySource {
  /** Creates a new array each time, and keeps none. */
  ArraySource HEAP = new Heap();

  /**
   * An array of at least this many bytes, which belongs to the caller. It contains what its last
   * owner left there.
   */
  byte[] take(int leastBytes);

  /**
   * An array for a message that may become longer: one of at least {@code wishedBytes} if one is
   * available, otherwise one of at least {@code leastBytes}. A caller with few bytes should not
   * wish for many, because an array that is taken must be allocated again for the next caller.
   */
  default byte[] take(int leastBytes, int wishedBytes) {
    return take(leastBytes);
  }

  /** Takes an array back; the caller must not use it any more. */
  void give(byte[] array);

  /** The heap of the JVM. */
  final class Heap implements ArraySource {
    private Heap() {}

    @Override
    public byte[] take(int leastBytes) {
      return new byte[leastBytes];
    }

    @Override
    public void give(byte[] array) {}
  }
}
