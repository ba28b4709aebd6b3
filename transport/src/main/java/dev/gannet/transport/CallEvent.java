package dev.gannet.transport;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.SpareArrays;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a call. Made by the transport, delivered through the call's {@link
 * CallInbox}, once.
 *
 * <p>The order is that of the call: headers (client only), messages, half-close (server only), one
 * {@link Closed}.
 */
public abstract sealed class CallEvent {
  @Nullable CallEvent next;

  private CallEvent() {}

  /** The response headers arrived. */
  public static final class Headers extends CallEvent {
    private final Metadata metadata;

    public Headers(Metadata metadata) {
      this.metadata = metadata;
    }

    public Metadata metadata() {
      return metadata;
    }
  }

  /**
   * A message arrived. A small one is parsed already; a large one is parsed by whoever takes it,
   * off the event loop.
   */
  public static final class Message extends CallEvent {
    private static final Object TAKEN = new Object();

    private Object content;
    private final int heldBytes;
    private final MessageEncoding encoding;

    private Message(Object content, int heldBytes, MessageEncoding encoding) {
      this.content = content;
      this.heldBytes = heldBytes;
      this.encoding = encoding;
    }

    /**
     * A message that was parsed where it arrived.
     *
     * @param heldBytes what it counts for while nobody has taken it: its bytes on the wire, or
     *     decompressed if those are more
     * @param encoding what it came in
     */
    public static Message parsed(Object message, int heldBytes, MessageEncoding encoding) {
      return new Message(message, heldBytes, encoding);
    }

    /** A message whose bytes, decompressed, are the event's own, array and all. */
    public static Message unparsed(ByteBuffer bytes, int heldBytes, MessageEncoding encoding) {
      return new Message(new Unparsed(bytes), heldBytes, encoding);
    }

    /**
     * The message, once. Runs the marshaller where that was left open, and so may throw what it
     * throws.
     */
    @SuppressWarnings("unchecked") // one call has one marshaller each way
    public <T> T take(Marshaller<T> marshaller) {
      return content instanceof Unparsed(ByteBuffer bytes) ? parse(bytes, marshaller) : (T) content;
    }

    /** Once: the array may be another message's afterwards. */
    private <T> T parse(ByteBuffer bytes, Marshaller<T> marshaller) {
      content = TAKEN;
      try {
        return marshaller.parse(bytes);
      } finally {
        SpareArrays.give(bytes);
      }
    }

    /** What it counts for while nobody has taken it; to be said when it is consumed. */
    public int heldBytes() {
      return heldBytes;
    }

    /** What it came in. */
    public MessageEncoding encoding() {
      return encoding;
    }
  }

  /** The client sends no more messages. */
  public static final class HalfClosed extends CallEvent {
    public HalfClosed() {}
  }

  /** More may be sent again. */
  public static final class Ready extends CallEvent {
    public Ready() {}
  }

  /** The call is over. On a server, OK means that the answer was handed to the network. */
  public static final class Closed extends CallEvent {
    private final Status status;
    private final Metadata trailers;
    private final Order order;

    public Closed(Status status, Metadata trailers, Order order) {
      this.status = status;
      this.trailers = trailers;
      this.order = order;
    }

    public Status status() {
      return status;
    }

    public Metadata trailers() {
      return trailers;
    }

    public Order order() {
      return order;
    }
  }

  /** Whether an end waits for the messages before it. */
  public enum Order {
    /** The peer's own end: what it sent before comes first. */
    BEHIND_MESSAGES,
    /** Cancelled, timed out, cut off: messages that nobody took yet are dropped. */
    AT_ONCE
  }

  private record Unparsed(ByteBuffer bytes) {}
}
