package dev.gannet.api;

import java.nio.ByteBuffer;

/**
 * Converts messages of one type to bytes and back. Stateless and safe for all threads. For
 * applications to implement; new methods will have a default.
 *
 * @param <T> the message type
 */
public interface Marshaller<T> {
  /**
   * Serializes the message: asks the sink once for exactly as many bytes as it needs and fills
   * them.
   *
   * <p>Runs on the sending thread, or on the connection's event loop; must not block. An exception
   * ends the call with {@code INTERNAL}.
   */
  void write(T message, MessageSink sink);

  /**
   * The number of bytes that {@link #write} would reserve. Used for calls that may be retried,
   * because the memory for their requests is limited. By default the message is serialized and the
   * result discarded: override this method if the size is known.
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
   * Parses one message from the bytes between position and limit.
   *
   * <p>The buffer may be direct and belongs to the caller: its content is only valid until this
   * method returns. If it has an array, bytes outside of position and limit may belong to other
   * messages. May run on the connection's event loop; must not block. An exception ends the call
   * with {@code INTERNAL}.
   */
  T parse(ByteBuffer bytes);

  /**
   * Whether {@link #parse} supports a message format: the text after the plus in {@code
   * application/grpc+proto}, in lower case. A server refuses calls with a format that the
   * marshaller of their requests does not read, or that of their responses does not {@linkplain
   * #writes write}; calls without a format are always accepted. By default any format is supported.
   */
  default boolean reads(String format) {
    return true;
  }

  /**
   * Whether {@link #write} supports a message format: by default those that the marshaller
   * {@linkplain #reads reads}.
   */
  default boolean writes(String format) {
    return reads(format);
  }

  /**
   * Whether messages never change after they were sent. In-process transports pass such messages as
   * objects if the other side's marshaller is equal to this one; all others are serialized and
   * parsed. {@code false} by default.
   */
  default boolean hasImmutableMessages() {
    return false;
  }
}
