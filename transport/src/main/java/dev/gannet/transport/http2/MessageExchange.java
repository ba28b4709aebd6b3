package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.CallEvent;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one call, both ways: framed and counted on their way out, put together and parsed
 * on their way in.
 *
 * <p>Back-pressure out: bytes that are framed and not yet written count as queued; a call is ready
 * while they are few. Back-pressure in: bytes of messages that nobody took yet are a backlog; while
 * it is high, the peer gets no window back.
 *
 * @param <O> the message that goes out
 */
final class MessageExchange<O> implements MessageDeframer.Receiver {
  /** Queued bytes from which on a call is not ready. */
  static final int READY_BYTES = 32 << 10;

  /** Backlog from which on a stream's window stays closed. */
  static final int HIGH_BACKLOG_BYTES = 64 << 10;

  /** Messages up to this size are parsed on the event loop, larger ones where they are taken. */
  static final int PARSED_ON_LOOP_BYTES = 16 << 10;

  private final Marshaller<O> outgoing;
  private final Marshaller<?> incoming;
  private final TouchedCall call;
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger backlog = new AtomicInteger();
  private @Nullable MessageDeframer deframer;
  private Optional<Status> fault = Optional.empty();
  private int owedBytes;
  private volatile boolean windowHeld;

  MessageExchange(Marshaller<O> outgoing, Marshaller<?> incoming, TouchedCall call) {
    this.outgoing = outgoing;
    this.incoming = incoming;
    this.call = call;
  }

  boolean isReady() {
    return queued.get() < READY_BYTES;
  }

  /** A message as it goes on the wire, counted as queued. On the sender's thread. */
  ByteBuffer frame(O message, MessageEncoding encoding, int maxMessageBytes) {
    ByteBuffer frame;
    try {
      frame = MessageFrame.frame(outgoing, message);
    } catch (RuntimeException e) {
      throw Status.INTERNAL
          .withDescription("the message cannot be written")
          .withCause(e)
          .asException();
    }
    int messageBytes = frame.remaining() - MessageFrame.PREFIX_BYTES;
    if (messageBytes > maxMessageBytes) {
      throw tooLong(messageBytes, maxMessageBytes);
    }
    ByteBuffer encoded = MessageFrame.compressed(frame, encoding);
    queued.addAndGet(encoded.remaining());
    return encoded;
  }

  private static StatusException tooLong(int bytes, int limit) {
    return Status.RESOURCE_EXHAUSTED
        .withDescription("a message of " + bytes + " bytes is over the sending limit of " + limit)
        .asException();
  }

  /** Bytes were written; true if the call is ready again by this. */
  boolean onSent(int bytes) {
    int before = queued.getAndAdd(-bytes);
    return before >= READY_BYTES && before - bytes < READY_BYTES;
  }

  /** Messages will arrive, in that encoding. */
  void expect(MessageEncoding encoding, int maxMessageBytes) {
    deframer = new MessageDeframer(encoding, maxMessageBytes);
  }

  /** Takes data that arrived; a status if it breaks the call. */
  Optional<Status> onData(Http2Connection connection, Http2Stream stream, ByteBuffer bytes) {
    MessageDeframer into = deframer;
    if (into == null) {
      return Optional.of(Status.INTERNAL.withDescription("DATA came before the headers"));
    }
    owedBytes += bytes.remaining();
    Optional<Status> broken = into.push(bytes, this);
    giveWindowBack(connection, stream);
    return fault.isPresent() ? fault : broken;
  }

  /** The stream of messages ends here; a status if it ends inside a message. */
  Optional<Status> onEnd() {
    return deframer == null ? Optional.empty() : deframer.end();
  }

  /**
   * Lets the peer send as much as it has sent, unless too much of that still waits for its reader.
   */
  void giveWindowBack(Http2Connection connection, Http2Stream stream) {
    windowHeld = true;
    if (backlog.get() < HIGH_BACKLOG_BYTES) {
      windowHeld = false;
      connection.consumed(stream, owedBytes);
      owedBytes = 0;
    }
  }

  /**
   * A message was taken by its reader; true if the window was held because of it and can be given
   * back.
   */
  boolean onConsumed(int wireBytes) {
    return backlog.addAndGet(-wireBytes) < HIGH_BACKLOG_BYTES && windowHeld;
  }

  @Override
  public void message(ByteBuffer bytes, int wireBytes) {
    if (fault.isPresent()) {
      return;
    }
    try {
      call.add(asEvent(bytes, wireBytes));
      backlog.addAndGet(wireBytes);
    } catch (RuntimeException e) {
      fault =
          Optional.of(
              Status.INTERNAL.withDescription("a received message cannot be parsed").withCause(e));
    }
  }

  private CallEvent.Message asEvent(ByteBuffer bytes, int wireBytes) {
    MessageEncoding encoding =
        deframer == null ? MessageEncoding.IDENTITY : deframer.lastEncoding();
    if (bytes.remaining() <= PARSED_ON_LOOP_BYTES) {
      return CallEvent.Message.parsed(incoming.parse(bytes), wireBytes, encoding);
    }
    byte[] own = new byte[bytes.remaining()];
    bytes.get(own);
    return CallEvent.Message.unparsed(ByteBuffer.wrap(own), wireBytes, encoding);
  }

  /** The end of a call that was broken by a fault of this side or the peer's. */
  static CallEvent.Closed closedAtOnce(Status status) {
    return new CallEvent.Closed(status, new Metadata(), CallEvent.Order.AT_ONCE);
  }
}
