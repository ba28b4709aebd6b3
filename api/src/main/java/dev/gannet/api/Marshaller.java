package dev.gannet.api;

import java.nio.ByteBuffer;

/**
 * How messages of one type become bytes and bytes become messages. Stateless and safe for all
 * threads.
 *
 * @param <T> the message type
 */
public interface Marshaller<T> {
  /**
   * Writes the message: asks the sink once for exactly as many bytes as it needs and fills them.
   *
   * <p>Runs on the thread that sends, or on the connection's event loop; must not block. A throw
   * ends the call with {@code INTERNAL}.
   */
  void write(T message, MessageSink sink);

  /**
   * How many bytes {@link #write} would ask for. Asked for calls that may be retried, which keep
   * their requests within limits. By default the message is written and what was written is thrown
   * away: say it where it is known.
   */
  default int sizeBytes(T message) {
    int[] sizeBytes = {0};
    write(
        message,
        bytes -> {
          sizeBytes[0] = bytes;
          return ByteBuffer.allocate(bytes);
        });
    return sizeBytes[0];
  }

  /**
   * Reads one message from the bytes between position and limit.
   *
   * <p>The buffer may be direct and belongs to the caller: its content is gone after the return.
   * May run on the connection's event loop; must not block. A throw ends the call with {@code
   * INTERNAL}.
   */
  T parse(ByteBuffer bytes);

  /**
   * Whether this is a marshaller of messages in that format: what stands behind the plus in {@code
   * application/grpc+proto}, in lower case. Calls that name another are refused; those that name
   * none are not asked about. Any format by default.
   */
  default boolean reads(String format) {
    return true;
  }

  /**
   * Whether messages never change once they are sent. Transports within one process hand such
   * messages over as they are, if the other side's marshaller is equal to this one; all others are
   * written and parsed. {@code false} by default.
   */
  default boolean hasImmutableMessages() {
    return false;
  }
}
