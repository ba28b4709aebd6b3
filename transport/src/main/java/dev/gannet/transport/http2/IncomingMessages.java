package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.Deframer.Ownership;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.memory.SpareArrays;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one call receives: assembled from DATA frames, parsed, and passed to the call's
 * listener. What it holds of them is counted by {@link CountedMessages}.
 *
 * <p>When the call ends, {@link #end} says what becomes of the messages that nobody has taken. The
 * stream of a server's call may go on after that, until its status is written: the client gets its
 * window back once ({@link #giveWholeWindowBack}), and what it still sends is skipped ({@link
 * #onDataAfterEnd}).
 *
 * <p>Back-pressure: the bytes of messages that the reader has not taken yet are the backlog; while
 * the backlog is high, the peer gets no window back. For the bytes of an incomplete message, window
 * is given back only if the message could not become complete otherwise and its reader has
 * requested it. {@link LoopParsing} says which messages are parsed here; what long or compressed
 * messages cost besides is the subject of {@link MessageCharges}. Confined to the connection's
 * loop, except the {@link MessageBacklog}.
 */
final class IncomingMessages extends CountedMessages implements Deframer.Receiver {
  /** A backlog of this size or more keeps the stream's window closed. */
  static final int HIGH_BACKLOG_BYTES = 64 << 10;

  private static final byte ANY_NUMBER = -1;

  /**
   * Why data breaks its call.
   *
   * @param lacksMemory whether the message does not fit into memory, which is no fault of its bytes
   */
  record Fault(Status status, boolean lacksMemory) {
    private static final Fault NO_MEMORY =
        new Fault(
            Status.RESOURCE_EXHAUSTED.withDescription(
                "the request message does not fit into what is left of the server's memoryBudget"),
            true);

    private static Fault ofBytes(Status status) {
      return new Fault(status, false);
    }
  }

  private final Marshaller<?> marshaller;
  private final ReceivingCall call;
  private @Nullable Http2Stream stream;

  /** What long or compressed messages cost; null before there is one. */
  private @Nullable MessageCharges charges;

  private Optional<Status> fault = Optional.empty();
  private int owedBytes;
  private boolean refusable;
  private boolean hasReceivedMessage;

  /** Whether an incomplete message waits for memory. */
  private boolean waits;

  private byte messagesExpected = ANY_NUMBER; // may still arrive, where messages are counted

  IncomingMessages(Marshaller<?> marshaller, ReceivingCall call, ReceivingParts parts) {
    super(parts);
    this.marshaller = marshaller;
    this.call = call;
  }

  /** What reads the messages. Any thread. */
  Marshaller<?> reader() {
    return marshaller;
  }

  /** The reader has taken a message. Any thread. */
  void onTaken(int heldBytes) {
    if (backlog().remove(heldBytes)) {
      parts.mailbox().post(new StreamMail(this::giveWindowBack));
    }
  }

  /** The reader has requested messages. Any thread. */
  void onRequested() {
    if (backlog().isRequestWanted()) {
      parts.mailbox().post(new StreamMail(this::giveWindowBack));
    }
  }

  /**
   * One message may arrive, and a second one is the peer's fault. It is detected here rather than
   * by the reader, because many small messages could arrive before they are read.
   */
  void expectOne() {
    messagesExpected = 1;
  }

  /** Large messages are accepted only if there is memory for what handlers make of them. */
  void refuseWithoutRoom() {
    refusable = true;
  }

  /** Messages with that framing will arrive. */
  void expect(Deframer deframer) {
    setDeframer(deframer);
  }

  /** Takes data that arrived; returns a fault if it breaks the call. */
  Optional<Fault> onData(Http2Stream stream, ByteBuffer bytes) {
    Deframer deframer = deframer();
    if (deframer == null) {
      return Optional.of(
          Fault.ofBytes(Status.INTERNAL.withDescription("DATA came before the headers")));
    }
    this.stream = stream;
    parts.memory().onArrived(bytes.remaining());
    owedBytes += bytes.remaining();
    addArrived(bytes.remaining());
    Optional<Status> broken = deframer.push(bytes, this);
    if (messagesExpected == 0 && !deframer.isIdle()) {
      onOneTooMany();
    }
    giveWindowBack();
    if (refusable && !tryReserveRest(deframer) && fault.isEmpty() && broken.isEmpty()) {
      return Optional.of(Fault.NO_MEMORY);
    }
    return (fault.isPresent() ? fault : broken).map(Fault::ofBytes);
  }

  /** Reserves memory for what arrives of a large message; returns false if it does not fit. */
  private boolean tryReserveRest(Deframer deframer) {
    int missing = deframer.missingBytes();
    if (missing > 0 && MessageCharges.needsRoom((long) deframer.partBytes() + missing)) {
      return charges().tryReserveRest(deframer);
    }
    dropReservation();
    return true;
  }

  private void dropReservation() {
    if (charges != null) {
      charges.setReservedBytes(0);
    }
  }

  /** The stream of messages ends here; returns a status if it ends inside a message. */
  Optional<Status> onEnd() {
    endArrival();
    Deframer deframer = deframer();
    if (deframer == null) {
      return Optional.empty();
    }
    Optional<Status> broken = deframer.end(this); // which may be the end of a message as well
    return fault.isPresent() ? fault : broken;
  }

  /**
   * Accepts nothing more, because the call ends, or the next step of its end comes. Complete
   * messages that wait for their reader become what the argument says, unless they are so small
   * that it is not worth tracking when they are taken.
   */
  void end(Unread unread) {
    if (!isOver()) {
      dropPart();
    }
    countAfterEnd(unread);
    if (charges != null) {
      charges.end(unread);
    }
    if (unread != Unread.LEFT_TO_READER) {
      parts.held().left().remove(this);
    } else if (heldBytes() > 0) {
      parts.held().left().add(this);
    }
  }

  private void dropPart() {
    Deframer deframer = deframer();
    if (deframer != null) {
      deframer.stopHolding();
    }
    if (waits) {
      parts.held().forget(this);
    }
  }

  @Override
  public void giveUp(Status why) {
    call.giveUp(why);
  }

  /**
   * Takes data that arrive after the end. Complete messages still count as progress, because a
   * client may send more until it has read its answer.
   */
  void onDataAfterEnd(Http2Stream stream, ByteBuffer bytes) {
    int count = bytes.remaining();
    Deframer deframer = deframer();
    if (deframer != null && deframer.skip(bytes)) {
      parts.http2().onProgress();
    }
    parts.http2().consumed(stream, count);
  }

  /**
   * Gives back the window of everything that arrived, because nobody will read it. Only once
   * nothing more is accepted.
   */
  void giveWholeWindowBack() {
    Http2Stream current = stream;
    if (current != null) {
      parts.http2().consumed(current, owedBytes);
      owedBytes = 0;
    }
  }

  @Override
  public void giveWindowBack() {
    Http2Stream current = stream;
    if (current == null) {
      return;
    }
    count();
    if (isOver()) {
      if (heldBytes() == 0) {
        parts.held().left().remove(this);
      }
      return;
    }
    backlog().wantRequest(false);
    int most = parts.http2().isCrowded() ? NO_BACKLOG_BYTES : HIGH_BACKLOG_BYTES;
    if (backlog().checkBelow(most)) {
      int kept = Math.min(owedBytes, keptBytes());
      parts.http2().consumed(current, owedBytes - kept);
      owedBytes = kept;
    }
  }

  /** The bytes of an incomplete message whose window is not given back yet. */
  private int keptBytes() {
    Deframer deframer = deframer();
    if (deframer == null || deframer.isIdle()) {
      return 0;
    }
    long wholeBytes = (long) deframer.partBytes() + deframer.missingBytes();
    boolean fits = wholeBytes <= parts.http2().streamWindowBytes() / 2;
    if (!fits && checkRequested()) {
      if (parts.held().mayResume(this)) {
        return 0;
      }
      backlog().wantBelow(NO_BACKLOG_BYTES); // what blocks it may be taken before there is memory
      if (!waits) {
        waits = true;
        parts.held().await(this);
      }
    }
    return deframer.partBytes();
  }

  /** Returns whether the reader has requested a message; if not, it signals when it does. */
  private boolean checkRequested() {
    if (call.isMessageRequested()) {
      return true;
    }
    backlog().wantRequest(true);
    return call.isMessageRequested();
  }

  @Override
  public void resume() {
    waits = false;
    giveWindowBack();
  }

  @Override
  public boolean waitsForItsRestAlone() {
    return partBytes() > 0 && backlog().bytes() == 0 && call.isMessageRequested();
  }

  /** Whether a message has arrived that may take too long to be parsed on an event loop. */
  boolean isLarge() {
    return charges != null && charges.isLarge();
  }

  @Override
  boolean mayArrive() {
    return !waits && (stream == null || stream.isWindowOpen());
  }

  @Override
  boolean isUnfinished() {
    return partBytes() > 0 || (isArriving() && messagesExpected != ANY_NUMBER);
  }

  @Override
  public void message(ByteBuffer bytes, Ownership ownership, MessageEncoding encoding) {
    parts.http2().onProgress();
    if (messagesExpected == 0) {
      onOneTooMany();
    }
    if (fault.isPresent()) {
      return;
    }
    if (messagesExpected > 0) {
      messagesExpected--;
    }
    int heldBytes =
        MessageFrame.PREFIX_BYTES + bytes.remaining(); // counted as the windows count it
    if (hasReceivedMessage && backlog().bytes() == 0) {
      parts.memory().onServed(); // the previous message was taken
    }
    hasReceivedMessage = true;
    if (MessageCharges.needsRoom(heldBytes) && messagesExpected != ANY_NUMBER) {
      charges().countHandler(heldBytes);
    }
    try {
      CallEvent.Message event = asEvent(bytes, ownership, encoding, heldBytes);
      backlog().add(heldBytes); // before its reader sees it
      call.add(event);
    } catch (Throwable e) { // an error of a marshaller fails its call, not the connection
      fault =
          Optional.of(
              Status.INTERNAL.withDescription("a received message cannot be parsed").withCause(e));
    }
  }

  /** Called at the first byte of a second message, because the rest may be long. */
  private void onOneTooMany() {
    if (fault.isEmpty()) {
      fault = Optional.of(CallStatuses.SECOND_REQUEST);
    }
  }

  private CallEvent.Message asEvent(
      ByteBuffer bytes, Ownership ownership, MessageEncoding encoding, int heldBytes) {
    if (encoding == MessageEncoding.IDENTITY && parts.parsing().admit(bytes.remaining())) {
      return CallEvent.Message.parsed(LoopParsing.parse(bytes, marshaller), heldBytes);
    }
    ByteBuffer own = ownership == Ownership.GIVEN ? bytes : copy(bytes);
    return charges().charge(own, encoding, heldBytes);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.wrap(SpareArrays.SHARED.take(bytes.remaining())).put(bytes).flip();
  }

  private MessageCharges charges() {
    MessageCharges found = charges;
    if (found == null) {
      found = new MessageCharges(call, parts);
      charges = found;
    }
    return found;
  }
}
