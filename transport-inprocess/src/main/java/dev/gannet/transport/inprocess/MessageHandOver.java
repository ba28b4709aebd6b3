package dev.gannet.transport.inprocess;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;
import java.nio.ByteBuffer;

/** Converts messages from one side to the other. */
final class MessageHandOver {
  private MessageHandOver() {}

  /**
   * The message for its receiver: the object itself if it is immutable and both sides have the same
   * type, or otherwise its bytes.
   *
   * @param following what follows it
   * @param written whether to write it in any case
   * @throws StatusException if it cannot be written; an {@code Error} of a marshaller is thrown as
   *     it is
   */
  static <T> CallEvent.Handed convert(
      T message,
      CallEvent.Following following,
      Marshaller<T> from,
      Marshaller<?> to,
      boolean written) {
    ByteBuffer frame;
    try {
      if (!written && from.hasImmutableMessages() && from.equals(to)) {
        return CallEvent.Message.handed(message, following);
      }
      frame = MessageFrame.frame(from, message, ArraySource.HEAP);
    } catch (
        Exception e) { // also checked exceptions: marshallers may be written in other languages
      throw Status.INTERNAL
          .withDescription("the marshaller cannot serialize the message")
          .withCause(e)
          .asException();
    }
    return CallEvent.Message.written(frame.position(MessageFrame.PREFIX_BYTES).slice(), following);
  }

  /**
   * Checks a limit; a message that was not written has no length.
   *
   * @throws StatusException if the message is over the limit
   */
  static void check(CallEvent.Message message, int maxBytes, MessageSizeLimit limit) {
    if (message.messageBytes() > maxBytes) {
      throw limit.exceededBy(message.messageBytes(), maxBytes).asException();
    }
  }
}
