package dev.gannet.transport;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import java.nio.ByteBuffer;
import java.util.Objects;
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

  /**
   * What it is: for switches that a first call passes through, where one over types would have the
   * JDK make classes (ADR 18).
   */
  public enum Kind {
    HEADERS,
    MESSAGE,
    HALF_CLOSED,
    READY,
    CLOSED
  }

  /** What it is. */
  public abstract Kind kind();

  /** The response headers arrived. */
  public static final class Headers extends CallEvent {
    private final Metadata metadata;

    public Headers(Metadata metadata) {
      this.metadata = metadata;
    }

    @Override
    public Kind kind() {
      return Kind.HEADERS;
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

    /** What is parsed on a loop at most, in bytes: half a millisecond, as a rule. */
    private static final int LARGE_BYTES = 2 << 20;

    /**
     * What is decompressed there at most: little that came may be the costliest of all to parse.
     */
    private static final int LARGE_INFLATED_BYTES = 64 << 10;

    private Object content;
    private final int heldBytes;
    private final MessageEncoding encoding;

    /** Of {@link #unpaidBytes}: it waited until its work was paid for. */
    private static final int PAID = -1;

    /** What is to be paid for its work before anybody takes it, as {@link WorkBudget} counts it. */
    private volatile int unpaidBytes;

    private Message(Object content, int heldBytes, MessageEncoding encoding) {
      this.content = content;
      this.heldBytes = heldBytes;
      this.encoding = encoding;
    }

    /**
     * A message that was parsed where it arrived.
     *
     * @param heldBytes what it counts for while nobody has taken it
     */
    public static Message parsed(Object message, int heldBytes) {
      return new Message(message, heldBytes, MessageEncoding.IDENTITY);
    }

    /**
     * A message whose bytes are the event's own, array and all.
     *
     * @param encoding what it came in: whoever takes it decodes it, one at a time, so that what
     *     waits is never more than what came
     */
    public static Message unparsed(
        ByteBuffer bytes, int heldBytes, MessageEncoding encoding, MessageReading reading) {
      int decodedBytes = reading.decodedBytes(bytes, encoding);
      return new Message(new Unparsed(bytes, decodedBytes, reading), heldBytes, encoding);
    }

    /**
     * A message that was written where it was sent, and crosses no wire: whoever takes it parses
     * it.
     *
     * @param bytes the event's own
     * @param heldBytes what it counts for while nobody has taken it
     */
    public static Message written(ByteBuffer bytes, int heldBytes) {
      return new Message(new Written(bytes), heldBytes, MessageEncoding.IDENTITY);
    }

    /**
     * The message, once. Decodes and parses where that was left open, and so may throw what the
     * marshaller throws.
     *
     * @throws StatusException if the message cannot be decompressed, or is too long by that, or not
     *     wanted any more
     */
    @SuppressWarnings("unchecked") // one call has one marshaller each way
    public <T> T take(Marshaller<T> marshaller) {
      if (content instanceof Unparsed unparsed) {
        content = TAKEN; // the array may be another message's afterwards
        return unparsed.reading.read(unparsed.bytes, unparsed.decodedBytes, encoding, marshaller);
      }
      if (content instanceof Written written) {
        content = TAKEN;
        return Objects.requireNonNull(marshaller.parse(written.bytes));
      }
      return (T) content;
    }

    @Override
    public Kind kind() {
      return Kind.MESSAGE;
    }

    /** How long it is once it is decompressed, in bytes; 0 if it was parsed where it arrived. */
    public int decodedBytes() {
      return content instanceof Unparsed unparsed ? unparsed.decodedBytes : 0;
    }

    /**
     * Its size on the wire in bytes, without its prefix; 0 for an object that was handed over and
     * has none. Before it is taken.
     */
    public int wireBytes() {
      return content instanceof Written written
          ? written.bytes.remaining()
          : Math.max(0, heldBytes - MessageFrame.PREFIX_BYTES);
    }

    /** Its size once it is decompressed, in bytes, as it says itself; before it is taken. */
    public int messageBytes() {
      return content instanceof Unparsed unparsed ? unparsed.decodedBytes : wireBytes();
    }

    /** Whether it may take too long to be read on an event loop. */
    public boolean isLargeOnceRead() {
      return decodedBytes()
          > (encoding == MessageEncoding.IDENTITY ? LARGE_BYTES : LARGE_INFLATED_BYTES);
    }

    /** Nobody takes it before so much is paid; before it is put in. */
    public void owe(int bytes) {
      unpaidBytes = bytes;
    }

    /** What is still to be paid. */
    public int unpaidBytes() {
      return Math.max(0, unpaidBytes);
    }

    /** It may be taken. */
    public void pay() {
      unpaidBytes = PAID;
    }

    /** Whether it was to be paid for, and is. */
    public boolean wasPaidFor() {
      return unpaidBytes == PAID;
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

    @Override
    public Kind kind() {
      return Kind.HALF_CLOSED;
    }
  }

  /** More may be sent again. */
  public static final class Ready extends CallEvent {
    public Ready() {}

    @Override
    public Kind kind() {
      return Kind.READY;
    }
  }

  /** The call is over. On a server, OK means that the answer was handed to the network. */
  public static final class Closed extends CallEvent {
    private final Status status;
    private final @Nullable Metadata trailers;
    private final Order order;

    /** The peer's end. */
    public Closed(Status status, Metadata trailers) {
      this(status, trailers, Order.BEHIND_MESSAGES);
    }

    private Closed(Status status, @Nullable Metadata trailers, Order order) {
      this.status = status;
      this.trailers = trailers;
      this.order = order;
    }

    /** An end without trailers, by this side's doing or the connection's. */
    public static Closed atOnce(Status status) {
      return new Closed(status, null, Order.AT_ONCE);
    }

    @Override
    public Kind kind() {
      return Kind.CLOSED;
    }

    public Status status() {
      return status;
    }

    /** The same end with another status. */
    public Closed withStatus(Status other) {
      return new Closed(other, trailers, order);
    }

    /** What came with the end; made anew if nothing did. */
    public Metadata trailers() {
      return trailers == null ? new Metadata() : trailers;
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

  private record Written(ByteBuffer bytes) {}

  private record Unparsed(ByteBuffer bytes, int decodedBytes, MessageReading reading) {}
}
