package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageDeframer.Ownership;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.SpareArrays;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one call, both ways: framed and counted on their way out, put together and parsed
 * on their way in.
 *
 * <p>Back-pressure out: bytes that are framed and not yet written count as queued; a call is ready
 * while its {@link CallQueue} says so. Back-pressure in: bytes of messages that nobody took yet are
 * a backlog; while it is high, the peer gets no window back. Of a message that is not whole the
 * bytes are given back only where it could not become whole otherwise, and its reader has asked for
 * it. All that waits here is told to {@link HeldBytes}.
 *
 * @param <O> the message that goes out
 */
final class MessageExchange<O> implements MessageDeframer.Receiver {
  /** Backlog from which on a stream's window stays closed. */
  static final int HIGH_BACKLOG_BYTES = 64 << 10;

  /** The same on a crowded connection: nothing may wait. */
  private static final int NO_BACKLOG_BYTES = 1;

  /** Messages up to this size are parsed on the event loop, larger ones where they are taken. */
  static final int PARSED_ON_LOOP_BYTES = 16 << 10;

  /** Parts of messages below this are not worth being watched. */
  private static final int LEAST_WATCHED_BYTES = 2 << 10;

  /** What must arrive between two looks at a message for it not to stand still. */
  private static final int LEAST_PROGRESS_BYTES = 1 << 10;

  private static final int LOOKS_BEFORE_STANDSTILL = 2;

  private final Marshaller<O> outgoing;
  private final Marshaller<?> incoming;
  private final TouchedCall call;
  private final ConnectionLoop loop;
  private final CallQueue queue;
  private final AtomicInteger backlog = new AtomicInteger();
  private @Nullable MessageDeframer deframer;
  private @Nullable Http2Stream stream;
  private Optional<Status> fault = Optional.empty();
  private int maxMessageBytes;
  private int owedBytes;
  private int countedBytes;
  private int countedPartBytes;
  private int countedSpareBytes;
  private boolean waits;
  private boolean over;
  private boolean dropped;
  private long arrivedBytes;
  private long arrivedAtLook;
  private int looksInVain;

  /** The backlog below which the loop wants to hear of it; 0 if it does not. */
  private volatile int wantedBacklog;

  /** Whether the loop wants to hear that a message was asked for. */
  private volatile boolean requestAwaited;

  MessageExchange(
      Marshaller<O> outgoing, Marshaller<?> incoming, TouchedCall call, ConnectionLoop loop) {
    this.outgoing = outgoing;
    this.incoming = incoming;
    this.call = call;
    this.loop = loop;
    this.queue = new CallQueue(loop.sendRoom());
  }

  boolean isReady() {
    return queue.isReady();
  }

  /** A message as it goes on the wire, counted as queued. On the sender's thread. */
  ByteBuffer frame(O message, MessageEncoding encoding, int maxMessageBytes) {
    ByteBuffer frame;
    try {
      frame = MessageFrame.frame(outgoing, message, SpareArrays.SHARED);
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
    queue.add(encoded.remaining());
    return encoded;
  }

  private static StatusException tooLong(int bytes, int limit) {
    return Status.RESOURCE_EXHAUSTED
        .withDescription("a message of " + bytes + " bytes is over the sending limit of " + limit)
        .asException();
  }

  /** No stream is free: what is queued here waits for one. */
  void awaitStream() {
    queue.awaitStream();
  }

  /** The stream that was waited for is there. */
  void onStream() {
    queue.onStream();
  }

  /** Bytes were written; true if the call is ready again by this. */
  boolean onSent(int bytes) {
    return queue.remove(bytes);
  }

  /** What is queued here and cannot leave, in bytes, for want of its stream's window. */
  long standingBytes(Http2Stream to) {
    return queue.look(to.sendWindowBytes(), loop.connection().peerInitialWindowBytes());
  }

  /** Something has changed for those who wait to send; true if the call is ready again by this. */
  boolean isReadyNow() {
    return queue.reconsider();
  }

  /** Nothing more is sent, and what was queued has left or never will. */
  void stopSending() {
    queue.close();
  }

  /** Messages will arrive, in that encoding. */
  void expect(MessageEncoding encoding, int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
    deframer = new MessageDeframer(encoding, maxMessageBytes, SpareArrays.SHARED);
  }

  /** Takes data that arrived; a status if it breaks the call. */
  Optional<Status> onData(Http2Stream from, ByteBuffer bytes) {
    MessageDeframer into = deframer;
    if (into == null) {
      return Optional.of(Status.INTERNAL.withDescription("DATA came before the headers"));
    }
    stream = from;
    owedBytes += bytes.remaining();
    arrivedBytes += bytes.remaining();
    Optional<Status> broken = into.push(bytes, this);
    giveWindowBack();
    return fault.isPresent() ? fault : broken;
  }

  /** The stream of messages ends here; a status if it ends inside a message. */
  Optional<Status> onEnd() {
    return deframer == null ? Optional.empty() : deframer.end();
  }

  /** Nothing more is taken in. Whole messages that wait for their reader still count. */
  void stopReceiving() {
    if (!over) {
      over = true;
      deframer = null;
      countAnew();
      if (waits) {
        loop.held().forget(this);
      }
    }
  }

  /**
   * Gives back all that arrived and is owed: nobody is going to take it. Once nothing more is taken
   * in.
   */
  void readOver() {
    Http2Stream to = stream;
    if (to != null) {
      loop.connection().consumed(to, owedBytes);
      owedBytes = 0;
    }
  }

  /** Nobody reads any more: what waits is dropped. */
  void dropReceived() {
    stopReceiving();
    dropped = true;
    count();
  }

  /**
   * Lets the peer send as much as it has sent, unless too much of that still waits for its reader.
   */
  void giveWindowBack() {
    Http2Stream to = stream;
    if (to == null) {
      return;
    }
    count();
    if (over) {
      return;
    }
    if (requestAwaited) {
      requestAwaited = false;
    }
    int most = loop.connection().isCrowded() ? NO_BACKLOG_BYTES : HIGH_BACKLOG_BYTES;
    if (isBacklogBelow(most)) {
      int kept = Math.min(owedBytes, keptBytes());
      loop.connection().consumed(to, owedBytes - kept);
      owedBytes = kept;
    }
  }

  /** If not, the reader tells when it is. */
  private boolean isBacklogBelow(int most) {
    if (backlog.get() >= most) {
      wantedBacklog = most;
      if (backlog.get() >= most) {
        return false;
      }
    }
    if (wantedBacklog != 0) {
      wantedBacklog = 0;
    }
    return true;
  }

  /** What the window has room for until the message is whole, or must not have more. */
  private int keptBytes() {
    MessageDeframer of = deframer;
    if (of == null || of.isIdle()) {
      return 0;
    }
    long wholeBytes = (long) of.partBytes() + of.missingBytes();
    boolean fits = wholeBytes <= loop.connection().streamWindowBytes() / 2;
    if (!fits && isRequested()) {
      if (loop.held().mayComeOn(this)) {
        return 0;
      }
      if (!waits) {
        waits = true;
        loop.held().await(this);
      }
    }
    return of.partBytes();
  }

  /** If not, the reader tells when it is. */
  private boolean isRequested() {
    if (call.isMessageRequested()) {
      return true;
    }
    requestAwaited = true;
    return call.isMessageRequested();
  }

  /** Whether the loop is to give the window back now that a message was asked for. */
  boolean isRequestAwaited() {
    return requestAwaited;
  }

  /** There is room for a message that had to wait. */
  void comeOn() {
    waits = false;
    giveWindowBack();
  }

  private void count() {
    int part = partBytes();
    int spare = deframer == null ? 0 : Math.max(0, deframer.heldBytes() - part);
    int now = dropped ? 0 : Math.max(0, backlog.get()) + part;
    if (now != countedBytes || part != countedPartBytes) {
      int change = now - countedBytes;
      int spareChange = spare - countedSpareBytes;
      countedBytes = now;
      countedPartBytes = part;
      countedSpareBytes = spare;
      loop.held().change(this, change, spareChange);
    }
  }

  /** Counts what is held, and has the reader tell when nothing is. */
  void countAnew() {
    isBacklogBelow(NO_BACKLOG_BYTES);
    count();
  }

  /** How much has come of a message that is not whole yet. */
  int partBytes() {
    return over || deframer == null ? 0 : deframer.partBytes();
  }

  /** Whether a reader waits for a message that is not whole, and nothing else is in its way. */
  boolean waitsForItsRestAlone() {
    return partBytes() > 0 && backlog.get() < NO_BACKLOG_BYTES && call.isMessageRequested();
  }

  /** Looks whether anything has arrived since the last look. */
  void look() {
    boolean moved = arrivedBytes - arrivedAtLook >= LEAST_PROGRESS_BYTES;
    arrivedAtLook = arrivedBytes;
    boolean couldMove = !waits && stream != null && stream.isWindowOpen();
    boolean owed = partBytes() >= LEAST_WATCHED_BYTES && couldMove;
    looksInVain = owed && !moved ? looksInVain + 1 : 0;
  }

  /** Whether a message did not go on between the last looks, although it could have. */
  boolean hasStopped() {
    return looksInVain > 0;
  }

  /** Whether that is so for too long. */
  boolean standsStill() {
    return looksInVain >= LOOKS_BEFORE_STANDSTILL;
  }

  /** A message was taken by its reader; true if the loop is to give the window back by now. */
  boolean onConsumed(int heldBytes) {
    int left = backlog.addAndGet(-heldBytes);
    int wanted = wantedBacklog;
    return wanted != 0 && left < wanted;
  }

  @Override
  public void message(ByteBuffer bytes, Ownership ownership, MessageEncoding encoding) {
    loop.connection().onProgress();
    if (fault.isPresent()) {
      return;
    }
    int heldBytes = MessageFrame.PREFIX_BYTES + bytes.remaining(); // as the windows count it
    try {
      call.add(asEvent(bytes, ownership, encoding, heldBytes));
      backlog.addAndGet(heldBytes);
    } catch (RuntimeException e) {
      fault =
          Optional.of(
              Status.INTERNAL.withDescription("a received message cannot be parsed").withCause(e));
    }
  }

  private CallEvent.Message asEvent(
      ByteBuffer bytes, Ownership ownership, MessageEncoding encoding, int heldBytes) {
    boolean plain = encoding == MessageEncoding.IDENTITY;
    if (plain && bytes.remaining() <= PARSED_ON_LOOP_BYTES) {
      return CallEvent.Message.parsed(incoming.parse(bytes), heldBytes);
    }
    ByteBuffer own = ownership == Ownership.GIVEN ? bytes : copy(bytes);
    return CallEvent.Message.unparsed(own, heldBytes, encoding, maxMessageBytes);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.wrap(SpareArrays.SHARED.take(bytes.remaining())).put(bytes).flip();
  }

  /** The end of a call that was broken by a fault of this side or the peer's. */
  static CallEvent.Closed closedAtOnce(Status status) {
    return new CallEvent.Closed(status, new Metadata(), CallEvent.Order.AT_ONCE);
  }
}
