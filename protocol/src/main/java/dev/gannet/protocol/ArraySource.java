package dev.gannet.protocol;

/**
 * Where the arrays of messages come from, and where they may be given back when nothing needs them
 * any more. Giving back is a courtesy: an array that is not given is garbage like any other.
 */
public interface ArraySource {
  /** New arrays for everybody, and none is kept. */
  ArraySource HEAP = new Heap();

  /**
   * An array of at least that many bytes, the caller's alone. What is in it is what its last owner
   * left.
   */
  byte[] take(int leastBytes);

  /**
   * Such an array for what may become longer: of at least {@code wishedBytes} if one lies ready,
   * else of at least {@code leastBytes}. Who has little does not wish for much: what lies ready is
   * made anew for the next.
   */
  default byte[] take(int leastBytes, int wishedBytes) {
    return take(leastBytes);
  }

  /** Takes an array back; whoever gives it must not touch it again. */
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
