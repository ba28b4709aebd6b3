package dev.gannet.protocol;

import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Space for one message after space for its prefix, if it has one, in one array; checks that the
 * marshaller keeps to its contract.
 */
final class ReservedMessage implements MessageSink {
  private final ArraySource arrays;
  private final int prefixBytes;
  private @Nullable ByteBuffer room;
  private int frameBytes;

  ReservedMessage(ArraySource arrays, int prefixBytes) {
    this.arrays = arrays;
    this.prefixBytes = prefixBytes;
  }

  @Override
  public ByteBuffer reserve(int sizeBytes) {
    if (room != null) {
      throw new IllegalStateException("the marshaller called reserve twice for one message");
    }
    if (sizeBytes < 0 || sizeBytes > MessageFrame.MAX_MESSAGE_BYTES) {
      throw new IllegalStateException(
          "a marshaller can reserve 0 to %d bytes, not %d"
              .formatted(MessageFrame.MAX_MESSAGE_BYTES, sizeBytes));
    }
    byte[] frame = arrays.take(prefixBytes + sizeBytes);
    ByteBuffer reserved = ByteBuffer.wrap(frame, prefixBytes, sizeBytes);
    frameBytes = prefixBytes + sizeBytes;
    room = reserved;
    return reserved;
  }

  /** The prefix and the message, from position 0 to limit. */
  ByteBuffer filled() {
    if (room == null) {
      throw new IllegalStateException("the marshaller did not call reserve");
    }
    int unfilledBytes = frameBytes - room.position();
    if (unfilledBytes > 0) {
      throw new IllegalStateException(
          "the marshaller must fill the reserved buffer: %d of %d bytes are missing"
              .formatted(unfilledBytes, frameBytes - prefixBytes));
    }
    return room.clear().limit(frameBytes).order(ByteOrder.BIG_ENDIAN);
  }
}
