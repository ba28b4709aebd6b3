package dev.gannet.transport.http2;

import java.nio.ByteBuffer;

/**
 * The array of an event loop's thread into which it copies messages before it parses them, if they
 * lie outside the heap: protobuf parses arrays only, and would allocate one for each of them. It
 * grows to the largest message parsed, which {@link IncomingMessages#PARSED_ON_LOOP_BYTES} limits.
 * Confined to its thread.
 */
final class ParsingArray {
  private static final ThreadLocal<ParsingArray> OF_THREAD =
      ThreadLocal.withInitial(ParsingArray::new);

  private static final int LEAST_BYTES = 1 << 10;

  private byte[] array = {};

  private ParsingArray() {}

  /**
   * The bytes as a buffer on the heap, which is valid until the next call of this thread. The
   * position of the given buffer does not change.
   */
  static ByteBuffer onHeap(ByteBuffer bytes) {
    return bytes.hasArray() || !bytes.hasRemaining() ? bytes : OF_THREAD.get().copy(bytes);
  }

  private ByteBuffer copy(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (count > array.length) {
      int roundBytes = Math.max(LEAST_BYTES, Integer.highestOneBit(count - 1) << 1);
      array = new byte[roundBytes];
    }
    bytes.get(bytes.position(), array, 0, count);
    return ByteBuffer.wrap(array, 0, count);
  }
}
