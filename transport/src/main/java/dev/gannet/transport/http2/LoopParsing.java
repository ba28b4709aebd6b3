package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.transport.memory.ThreadArray;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The messages that a connection's loop parses itself: uncompressed ones up to 16 KiB, unless the
 * {@link LoopPass} has taken so long that other connections wait. All others are parsed by the
 * thread that takes them. Confined to the loop.
 */
final class LoopParsing {
  /** Messages up to this size are parsed on the loop: a longer one would occupy it for long. */
  private static final int MAX_BYTES = 16 << 10;

  /** Messages up to this size cost no more to parse than to keep. */
  private static final int TINY_BYTES = 32;

  /** For messages that lie outside the heap. */
  private static final ThreadArray ARRAY = new ThreadArray();

  private final LoopPass pass;

  LoopParsing(LoopPass pass) {
    this.pass = pass;
  }

  /**
   * Admits an uncompressed message of that size to be parsed now; false if its reader parses it.
   */
  boolean admit(int bytes) {
    return bytes <= TINY_BYTES || (bytes <= MAX_BYTES && pass.admit(bytes));
  }

  /** Parses an admitted message; throws what the marshaller throws. */
  static Object parse(ByteBuffer bytes, Marshaller<?> marshaller) {
    Object message = marshaller.parse(onHeap(bytes));
    return Objects.requireNonNull(message);
  }

  /** Protobuf parses arrays only: outside the heap it would allocate one for each message. */
  private static ByteBuffer onHeap(ByteBuffer bytes) {
    if (bytes.hasArray() || !bytes.hasRemaining()) {
      return bytes;
    }
    int count = bytes.remaining();
    byte[] array = ARRAY.ofAtLeast(count);
    bytes.get(array, 0, count);
    return ByteBuffer.wrap(array, 0, count);
  }
}
