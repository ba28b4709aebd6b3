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
  private @Nullable ByteBuffer room;

  /** The prefix alone, then with the message: a second number would take more memory. */
  private int frameBytes;

  ReservedMessage(ArraySource arrays, int prefixBytes) {
    this.arrays = arrays;
    this.frameBytes = prefixBytes;
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
    byte[] frame = arrays.take(frameBytes + sizeBytes);
    ByteBuffer reserved = ByteBuffer.wrap(frame, frameBytes, sizeBytes);
    frameBytes += sizeBytes;
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
          "the marshaller must fill the reserved buffer; missing bytes: %d"
              .formatted(unfilledBytes));
    }
    return room.clear().limit(frameBytes).order(ByteOrder.BIG_ENDIAN);
  }
}
