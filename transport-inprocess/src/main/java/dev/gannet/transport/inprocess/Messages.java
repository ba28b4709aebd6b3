package dev.gannet.transport.inprocess;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.CallEvent;
import java.nio.ByteBuffer;

/** Converts messages from one side to the other. */
final class Messages {
  private Messages() {}

  /**
   * The message for its receiver: the object itself if it is immutable and both sides have the same
   * type, or otherwise its bytes.
   *
   * @param following what follows it
   * @param written whether to write it in any case
   * @throws StatusException if it cannot be written, or its bytes are over the sender's limit
   */
  static <T> CallEvent.Message handOver(
      T message,
      CallEvent.Following following,
      Marshaller<T> from,
      Marshaller<?> to,
      boolean written,
      int maxSentBytes) {
    if (!written && from.hasImmutableMessages() && from.equals(to)) {
      return CallEvent.Message.handed(message, following);
    }
    ByteBuffer frame;
    try {
      frame = MessageFrame.frame(from, message, ArraySource.HEAP);
    } catch (
        Exception e) { // also checked exceptions: marshallers may be written in other languages
      throw Status.INTERNAL
          .withDescription("the message cannot be written")
          .withCause(e)
          .asException();
    }
    int bytes = frame.remaining() - MessageFrame.PREFIX_BYTES;
    check(bytes, maxSentBytes, "sender's maxOutboundMessageBytes");
    return CallEvent.Message.written(frame.position(MessageFrame.PREFIX_BYTES).slice(), following);
  }

  /**
   * Sees that the receiver takes the message; one that was not written has no length.
   *
   * @throws StatusException if it is over the receiver's limit
   */
  static void checkTaken(CallEvent.Message message, int maxTakenBytes) {
    check(message.messageBytes(), maxTakenBytes, "receiver's maxInboundMessageBytes");
  }

  private static void check(int bytes, int limit, String what) {
    if (bytes > limit) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(
              "message of " + bytes + " bytes exceeds the " + what + " (" + limit + ")")
          .asException();
    }
  }
}
