package dev.gannet.transport;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.memory.WorkRateLimiter;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of a call. Created by the transport, and delivered once through the call's {@link
 * CallInbox}.
 *
 * <p>The order of events is: headers (client only), messages, half-close (server only), one {@link
 * Closed}. A message that is not sent over a network may stand for those around it as well: the
 * half-close after it ({@link Message#isLast}), or a whole response ({@link
 * Message#isWholeResponse}).
 */
public abstract sealed class CallEvent {
  @Nullable CallEvent next;

  private CallEvent() {}

  /**
   * The kind of an event, for switches that a first call executes: a switch over types would make
   * the JDK generate classes (ADR 18).
   */
  public enum Kind {
    HEADERS,
    MESSAGE,
    HALF_CLOSED,
    READY,
    CLOSED
  }

  /** The kind of this event. */
  public abstract Kind kind();

  /** Whether the call ends with it: only an end that overtakes it can follow. */
  public final boolean isEnd() {
    return this instanceof Closed
        || (this instanceof Handed handed && handed.following == Following.END);
  }

  /** The response headers arrived. */
  public static final class Headers extends CallEvent {
    private final @Nullable Metadata metadata;

    /** The headers, or null if there are no fields. */
    public Headers(@Nullable Metadata metadata) {
      this.metadata = metadata;
    }

    @Override
    public Kind kind() {
      return Kind.HEADERS;
    }

    /** The headers; a new object if there are no fields. */
    public Metadata metadata() {
      return metadata == null ? new Metadata() : metadata;
    }
  }

  /** A message arrived. */
  public abstract static sealed class Message extends CallEvent {
    Object content;

    private Message(Object content) {
      this.content = content;
    }

    /**
     * A message that was already parsed.
     *
     * @param heldBytes its size in the accounting while nobody has taken it
     */
    public static Received parsed(Object message, int heldBytes) {
      return new Received(message, heldBytes, MessageEncoding.IDENTITY);
    }

    /**
     * A message whose bytes, including the array, belong to the event.
     *
     * @param encoding of the bytes: the taking thread decodes messages one at a time, so that
     *     waiting messages never use more than what was received
     */
    public static Received unparsed(
        ByteBuffer bytes, int heldBytes, MessageEncoding encoding, MessageReading reading) {
      int decodedBytes = reading.decodedBytes(bytes, encoding);
      return new Received(new Unparsed(bytes, decodedBytes, reading), heldBytes, encoding);
    }

    /** A message that is not sent over a network: the object itself. */
    public static Handed handed(Object message, Following following) {
      return new Handed(message, following);
    }

    /**
     * A message that was serialized by its sender and is not sent over a network: the taking thread
     * parses it.
     *
     * @param bytes belong to the event
     */
    public static Handed written(ByteBuffer bytes, Following following) {
      return new Handed(new Written(bytes), following);
    }

    /**
     * Takes the message, once. Decodes and parses it if that was not done yet, and so may throw
     * exceptions of the marshaller.
     *
     * @throws StatusException if the message cannot be decompressed, is too long after
     *     decompression, or is not needed any more
     */
    @SuppressWarnings("unchecked") // one call has one marshaller in each direction
    public <T> T take(Marshaller<T> marshaller) {
      return (T) content;
    }

    @Override
    public final Kind kind() {
      return Kind.MESSAGE;
    }

    /** Whether the client half-closes with it: no {@link HalfClosed} follows then. */
    public boolean isLast() {
      return false;
    }

    /**
     * Whether it is a whole response: empty headers come before it, and the end with OK and without
     * trailers after it, and none of these has an event of its own.
     */
    public final boolean isWholeResponse() {
      return isEnd();
    }

    /**
     * The message's size on the wire in bytes, without its prefix; 0 for a message that was passed
     * as an object. Before it is taken.
     */
    public abstract int wireBytes();

    /** The message's decompressed size in bytes, as it states itself; before it is taken. */
    public int messageBytes() {
      return wireBytes();
    }

    /** Whether it may take too long to be parsed on an event loop. */
    public boolean isLargeOnceRead() {
      return false;
    }

    /** The work that is not paid yet. */
    public int unpaidBytes() {
      return 0;
    }

    /** Whether it had to wait until its work was paid, and is paid now. */
    public boolean wasPaidFor() {
      return false;
    }

    /** The accounted size while nobody has taken the message; reported when it is consumed. */
    public abstract int heldBytes();

    /** The message's encoding. */
    public MessageEncoding encoding() {
      return MessageEncoding.IDENTITY;
    }
  }

  /** What follows a message that is not sent over a network. */
  public enum Following {
    /** More events of the call. */
    MORE,
    /** The client half-closes: this is its last message. */
    HALF_CLOSE,
    /** The server ends the call: this is a {@linkplain Message#isWholeResponse whole response}. */
    END
  }

  /**
   * A message from the network. A small one is already parsed; a large one is parsed by the thread
   * that takes it, not on the event loop.
   */
  public static final class Received extends Message {
    private static final Object TAKEN = new Object();

    /**
     * The maximum size of a message that is parsed on a loop, in bytes: usually half a millisecond.
     */
    private static final int LARGE_BYTES = 2 << 20;

    /**
     * The maximum decompressed size there, because a small compressed message may be the most
     * expensive to parse.
     */
    private static final int LARGE_INFLATED_BYTES = 64 << 10;

    /** Value of {@link #unpaidBytes}: the message waited and its work was paid for. */
    private static final int PAID = -1;

    private final int heldBytes;
    private final MessageEncoding encoding;

    /**
     * The work that must be paid before the message can be taken, as counted by {@link
     * WorkRateLimiter}.
     */
    private volatile int unpaidBytes;

    private Received(Object content, int heldBytes, MessageEncoding encoding) {
      super(content);
      this.heldBytes = heldBytes;
      this.encoding = encoding;
    }

    @Override
    public <T> T take(Marshaller<T> marshaller) {
      if (content instanceof Unparsed unparsed) {
        content = TAKEN; // the array may contain another message afterwards
        return unparsed.reading.read(unparsed.bytes, unparsed.decodedBytes, encoding, marshaller);
      }
      return super.take(marshaller);
    }

    /** The message's decompressed size in bytes; 0 if it was already parsed. */
    public int decodedBytes() {
      return content instanceof Unparsed unparsed ? unparsed.decodedBytes : 0;
    }

    @Override
    public int wireBytes() {
      return Math.max(0, heldBytes - MessageFrame.PREFIX_BYTES);
    }

    @Override
    public int messageBytes() {
      return content instanceof Unparsed unparsed ? unparsed.decodedBytes : wireBytes();
    }

    @Override
    public boolean isLargeOnceRead() {
      return decodedBytes()
          > (encoding == MessageEncoding.IDENTITY ? LARGE_BYTES : LARGE_INFLATED_BYTES);
    }

    /**
     * Sets the work that must be paid before it can be taken; called before it is added to the
     * inbox.
     */
    public void owe(int bytes) {
      unpaidBytes = bytes;
    }

    @Override
    public int unpaidBytes() {
      return Math.max(0, unpaidBytes);
    }

    /** The work is paid; the message can be taken. */
    public void pay() {
      unpaidBytes = PAID;
    }

    @Override
    public boolean wasPaidFor() {
      return unpaidBytes == PAID;
    }

    @Override
    public int heldBytes() {
      return heldBytes;
    }

    @Override
    public MessageEncoding encoding() {
      return encoding;
    }
  }

  /** A message that is not sent over a network. Its size is unknown, and therefore counts as 1. */
  public static final class Handed extends Message {
    private static final Object TAKEN = new Object();

    private Following following;

    private Handed(Object content, Following following) {
      super(content);
      this.following = following;
    }

    @Override
    public boolean isLast() {
      return following == Following.HALF_CLOSE;
    }

    /** Makes it a whole response, before it is added to the inbox. */
    public void becomeWholeResponse() {
      following = Following.END;
    }

    @Override
    public <T> T take(Marshaller<T> marshaller) {
      if (content instanceof Written written) {
        content = TAKEN;
        return Objects.requireNonNull(marshaller.parse(written.bytes));
      }
      return super.take(marshaller);
    }

    @Override
    public int wireBytes() {
      return content instanceof Written written ? written.bytes.remaining() : 0;
    }

    @Override
    public int heldBytes() {
      return 1;
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

  /** More messages can be sent. */
  public static final class Ready extends CallEvent {
    public Ready() {}

    @Override
    public Kind kind() {
      return Kind.READY;
    }
  }

  /** The call has ended. On a server, OK means that the response was written to the network. */
  public static sealed class Closed extends CallEvent {
    private final Status status;
    private final @Nullable Metadata trailers;

    private Closed(Status status, @Nullable Metadata trailers) {
      this.status = status;
      this.trailers = trailers;
    }

    /** The end that the peer sent. */
    public static Closed received(Status status, Metadata trailers) {
      return new Closed(status, trailers);
    }

    /** The end that the peer sent, without trailers. */
    public static Closed bare(Status status) {
      return new Closed(status, null);
    }

    /** An end without trailers, caused by this side or by the connection. */
    public static Closed atOnce(Status status) {
      return new ClosedAtOnce(status);
    }

    @Override
    public final Kind kind() {
      return Kind.CLOSED;
    }

    public final Status status() {
      return status;
    }

    /** The end with another status. */
    public Closed withStatus(Status other) {
      return new Closed(other, trailers);
    }

    /** The trailers; a new object if there are none. */
    public final Metadata trailers() {
      return trailers == null ? new Metadata() : trailers;
    }

    public Order order() {
      return Order.BEHIND_MESSAGES;
    }
  }

  /** An own type, because a field for the order would cost each call eight bytes. */
  private static final class ClosedAtOnce extends Closed {
    ClosedAtOnce(Status status) {
      super(status, null);
    }

    @Override
    public Closed withStatus(Status other) {
      return new ClosedAtOnce(other);
    }

    @Override
    public Order order() {
      return Order.AT_ONCE;
    }
  }

  /** Whether an end waits for the messages before it. */
  public enum Order {
    /** The peer's own end: messages before it are delivered first. */
    BEHIND_MESSAGES,
    /** Cancelled, timed out, cut off: messages that were not taken yet are dropped. */
    AT_ONCE
  }

  private record Written(ByteBuffer bytes) {}

  private record Unparsed(ByteBuffer bytes, int decodedBytes, MessageReading reading) {}
}
