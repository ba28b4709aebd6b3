package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageDeframer.Ownership;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.SpareArrays;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one call receives: put together from DATA, parsed, and given to the call's
 * events.
 *
 * <p>Back-pressure: bytes of messages that nobody took yet are a backlog; while it is high, the
 * peer gets no window back. Of a message that is not whole the bytes are given back only where it
 * could not become whole otherwise, and its reader has asked for it. All that waits here is told to
 * {@link ReceiveAccounting}. Confined to the connection's loop, but for the {@link MessageBacklog}.
 */
final class IncomingMessages implements MessageDeframer.Receiver {
  /** Backlog from which on a stream's window stays closed. */
  static final int HIGH_BACKLOG_BYTES = 64 << 10;

  /** The same on a crowded connection: nothing may wait. */
  private static final int NO_BACKLOG_BYTES = 1;

  /** Messages up to this size are parsed on the event loop, larger ones where they are taken. */
  static final int PARSED_ON_LOOP_BYTES = 16 << 10;

  /** Messages up to this size cost no more to parse than to keep. */
  private static final int TINY_BYTES = 32;

  /** The memory of a message that waits, besides its bytes. */
  private static final int MESSAGE_MEMORY_BYTES = 128;

  /** Parts of messages below this are not worth being watched, nor what an ended call has left. */
  private static final int MIN_WATCHED_BYTES = 2 << 10;

  /** What must arrive between two looks at a message for it not to stand still. */
  private static final int MIN_PROGRESS_BYTES = 1 << 10;

  private static final int LOOKS_BEFORE_STANDSTILL = 2;

  private static final byte ANY_NUMBER = -1;

  /** Messages from this size on come in only where there is memory for what becomes of them. */
  private static final int LARGE_BYTES = 64 << 10;

  /** What a handler holds of a large message: what it is parsed to, and an answer as long. */
  static final int HANDS = 2;

  /** Ends a call whose message does not fit in. */
  static final Status NO_ROOM =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "memory is short: a request message of this size does not fit into memoryBudget");

  /** On one connection, for handlers that do not come back. */
  private static final int MAX_UNHEARD_BYTES = 4 << 20;

  private final Marshaller<?> marshaller;
  private final CallStream<?, ?> call;
  private final MessageBacklog backlog = new MessageBacklog();
  private @Nullable Deframer deframer;
  private @Nullable Http2Stream stream;
  private @Nullable LongMessages longOnes;
  private Optional<Status> fault = Optional.empty();
  private int maxMessageBytes;
  private int owedBytes;
  private int countedBytes;
  private int countedPartBytes;
  private int countedSpareBytes;
  private boolean refusable;
  private boolean cameBefore;
  private boolean ended;
  private boolean waits;
  private boolean over;
  private boolean dropped;
  private boolean unheard;
  private byte looksInVain;
  private byte mayCome = ANY_NUMBER; // as many messages, where they are counted
  private short arrivedSinceLook; // up to what is progress

  /** What only a call needs whose messages are long or compressed. */
  private static final class LongMessages {
    final MessageReading reading;
    final ArrayDeque<CallEvent.Message> unpaid = new ArrayDeque<>(0);
    int handBytes;
    int promisedBytes;
    boolean large;

    LongMessages(MessageReading reading) {
      this.reading = reading;
    }
  }

  IncomingMessages(Marshaller<?> marshaller, CallStream<?, ?> call) {
    this.marshaller = marshaller;
    this.call = call;
  }

  private ConnectionLoop loop() {
    return call.loop;
  }

  /** A message was taken by its reader. Any thread. */
  void onTaken(int heldBytes) {
    if (backlog.remove(heldBytes)) {
      loop().post(new StreamMail(this::giveWindowBack));
    }
  }

  /** Messages were asked for. Any thread. */
  void onRequested() {
    if (backlog.isRequestWanted()) {
      loop().post(new StreamMail(this::giveWindowBack));
    }
  }

  /**
   * One message may arrive, and another is a fault of the peer's: not left to whoever takes them,
   * as small ones would be many by then.
   */
  void expectOne() {
    mayCome = 1;
  }

  /** Large messages come in only where there is room for what handlers make of them. */
  void refuseWithoutRoom() {
    refusable = true;
  }

  /** Messages will arrive, framed so. */
  void expect(Deframer deframer, int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
    this.deframer = deframer;
  }

  /** Takes data that arrived; a status if it breaks the call. */
  Optional<Status> onData(Http2Stream from, ByteBuffer bytes) {
    Deframer into = deframer;
    if (into == null) {
      return Optional.of(Status.INTERNAL.withDescription("DATA came before the headers"));
    }
    stream = from;
    loop().memory().onArrived(bytes.remaining());
    owedBytes += bytes.remaining();
    arrivedSinceLook = (short) Math.min(MIN_PROGRESS_BYTES, arrivedSinceLook + bytes.remaining());
    Optional<Status> broken = into.push(bytes, this);
    if (mayCome == 0 && !into.isIdle()) {
      onOneTooMany();
    }
    giveWindowBack();
    if (refusable && !hasRoomForTheRest(into) && fault.isEmpty() && broken.isEmpty()) {
      return Optional.of(NO_ROOM);
    }
    return fault.isPresent() ? fault : broken;
  }

  private boolean hasRoomForTheRest(Deframer of) {
    int missing = of.missingBytes();
    long messageBytes = (long) of.partBytes() + missing;
    if (missing == 0 || messageBytes < LARGE_BYTES) {
      promise(0);
      return true;
    }
    int hands = loop().memory().handBytes(messageBytes);
    promise((int) Math.min(hands, HANDS * (long) of.partBytes()));
    int arrayBytes = Math.min(missing, of.heldBytes() - of.partBytes()); // counts already
    int rest = missing - Math.max(0, arrayBytes) + hands - longOnes().promisedBytes;
    return loop().memory().hasRoomFor(rest);
  }

  /** As the message comes, so does the right to what its handler will make of it. */
  private void promise(int bytes) {
    if (bytes != 0 || longOnes != null) {
      LongMessages of = longOnes();
      if (bytes != of.promisedBytes) {
        loop().memory().changePromised(bytes - of.promisedBytes);
        of.promisedBytes = bytes;
      }
    }
  }

  /** The stream of messages ends here; a status if it ends inside a message. */
  Optional<Status> onEnd() {
    ended = true;
    if (deframer == null) {
      return Optional.empty();
    }
    Optional<Status> broken = deframer.end(this); // which may be the end of a message, too
    return fault.isPresent() ? fault : broken;
  }

  /**
   * Nothing more is taken in. Whole messages that wait for their reader still count, unless they
   * are so little that it is not worth hearing when they are taken.
   */
  void stop() {
    if (!over) {
      over = true;
      if (deframer != null) {
        deframer.stopHolding();
      }
      if (backlog.bytes() < MIN_WATCHED_BYTES) {
        dropped = true;
      }
      countAnew();
      promise(0);
      if (waits) {
        loop().held().forget(this);
      }
    }
  }

  /** Nothing more is taken in, for the call is over; its reader may still want what waits. */
  void leaveToReader() {
    stop();
    looksInVain = 0;
    if (countedBytes > 0) {
      loop().held().left().add(this);
    }
  }

  /** Counts what an ended call has left; whether nothing is, or nobody took any for two looks. */
  boolean isLeftForGood() {
    int before = countedBytes;
    count();
    looksInVain = (byte) (countedBytes == before ? looksInVain + 1 : 0);
    return countedBytes == 0 || standsStill();
  }

  /**
   * Takes data that come behind the end. Whole messages are progress all the same: a client may
   * well go on until it has read its answer.
   */
  void skip(Http2Stream from, ByteBuffer bytes) {
    int count = bytes.remaining();
    if (deframer != null && deframer.skip(bytes)) {
      loop().connection().onProgress();
    }
    loop().connection().consumed(from, count);
  }

  /**
   * Gives back all that arrived and is owed: nobody is going to take it. Once nothing more is taken
   * in.
   */
  void readOver() {
    Http2Stream to = stream;
    if (to != null) {
      loop().connection().consumed(to, owedBytes);
      owedBytes = 0;
    }
  }

  /**
   * The call has ended, and what still waits will not be heard. It takes memory until its handler
   * is back, but keeps nobody else from receiving, unless that is much.
   */
  void leaveUnheard() {
    giveUpReading();
    if (!dropped) {
      unheard = loop().held().spareBytes() + backlog.bytes() <= MAX_UNHEARD_BYTES;
      countAnew();
    }
  }

  /** Nobody reads any more: what waits is dropped. */
  void drop() {
    stop();
    giveUpReading();
    dropped = true;
    count();
    setHands(0);
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
      looksInVain = 0;
      if (countedBytes == 0) {
        loop().held().left().remove(this);
      }
      return;
    }
    backlog.wantRequest(false);
    int most = loop().connection().isCrowded() ? NO_BACKLOG_BYTES : HIGH_BACKLOG_BYTES;
    if (backlog.isBelow(most)) {
      int kept = Math.min(owedBytes, keptBytes());
      loop().connection().consumed(to, owedBytes - kept);
      owedBytes = kept;
    }
  }

  /** What the window has room for until the message is whole, or must not have more. */
  private int keptBytes() {
    Deframer of = deframer;
    if (of == null || of.isIdle()) {
      return 0;
    }
    long wholeBytes = (long) of.partBytes() + of.missingBytes();
    boolean fits = wholeBytes <= loop().connection().streamWindowBytes() / 2;
    if (!fits && isRequested()) {
      if (loop().held().mayComeOn(this)) {
        return 0;
      }
      backlog.wantBelow(NO_BACKLOG_BYTES); // what is in the way may be taken before there is room
      if (!waits) {
        waits = true;
        loop().held().await(this);
      }
    }
    return of.partBytes();
  }

  /** If not, the reader tells when it is. */
  private boolean isRequested() {
    if (call.isMessageRequested()) {
      return true;
    }
    backlog.wantRequest(true);
    return call.isMessageRequested();
  }

  /** There is room for a message that had to wait. */
  void comeOn() {
    waits = false;
    giveWindowBack();
  }

  private void count() {
    int part = partBytes();
    int waiting = dropped ? 0 : backlog.bytes();
    int spare = dropped ? 0 : backlog.messages() * MESSAGE_MEMORY_BYTES;
    if (deframer != null) {
      spare += Math.max(0, deframer.heldBytes() - part);
    }
    spare += unheard ? waiting : 0;
    int now = unheard ? 0 : waiting + part;
    if (now != countedBytes || part != countedPartBytes || spare != countedSpareBytes) {
      int change = now - countedBytes;
      int spareChange = spare - countedSpareBytes;
      countedBytes = now;
      countedPartBytes = part;
      countedSpareBytes = spare;
      loop().held().change(this, change, spareChange);
    }
  }

  /** What a handler holds of its only request, if that is large, until it has answered. */
  private void setHands(int bytes) {
    if (bytes != 0 || longOnes != null) {
      LongMessages of = longOnes();
      if (bytes != of.handBytes) {
        loop().memory().changeHands(bytes - of.handBytes);
        of.handBytes = bytes;
      }
    }
  }

  /** Counts what is held, and has the reader tell when nothing is. */
  void countAnew() {
    if (!dropped) {
      backlog.wantBelow(NO_BACKLOG_BYTES);
    }
    count();
  }

  /** How much has come of a message that is not whole yet. */
  int partBytes() {
    return over || deframer == null ? 0 : deframer.partBytes();
  }

  /** Whether a reader waits for a message that is not whole, and nothing else is in its way. */
  boolean waitsForItsRestAlone() {
    return partBytes() > 0 && backlog.bytes() == 0 && call.isMessageRequested();
  }

  /**
   * Looks whether anything has arrived since the last look.
   *
   * @param mayCome whether the connection lets anything come
   */
  void look(boolean mayCome, boolean scarce) {
    boolean moved = arrivedSinceLook == MIN_PROGRESS_BYTES;
    arrivedSinceLook = 0;
    boolean couldMove = mayCome && !waits && (stream == null || stream.isWindowOpen());
    boolean owed = scarce ? isUnfinished() : partBytes() >= MIN_WATCHED_BYTES;
    int vain = owed && couldMove && !moved ? looksInVain + 1 : 0;
    looksInVain = (byte) Math.min(LOOKS_BEFORE_STANDSTILL, vain);
  }

  /** Whether a message has come that may take too long to be read on an event loop. */
  boolean isLarge() {
    return longOnes != null && longOnes.large;
  }

  /** Whether the peer has begun a message, or its only request, and not ended it. */
  private boolean isUnfinished() {
    return !over && (partBytes() > 0 || (mayCome != ANY_NUMBER && !ended));
  }

  /** Whether a message did not go on between the last looks, although it could have. */
  boolean hasStopped() {
    return looksInVain > 0;
  }

  /** Whether that is so for too long. */
  boolean standsStill() {
    return looksInVain >= LOOKS_BEFORE_STANDSTILL;
  }

  @Override
  public void message(ByteBuffer bytes, Ownership ownership, MessageEncoding encoding) {
    loop().connection().onProgress();
    if (mayCome == 0) {
      onOneTooMany();
    }
    if (fault.isPresent()) {
      return;
    }
    if (mayCome > 0) {
      mayCome--;
    }
    int heldBytes = MessageFrame.PREFIX_BYTES + bytes.remaining(); // as the windows count it
    if (cameBefore && backlog.bytes() == 0) {
      loop().memory().onServed(); // the one before was taken
    }
    cameBefore = true;
    if (heldBytes >= LARGE_BYTES && mayCome != ANY_NUMBER) {
      setHands(loop().memory().handBytes(heldBytes));
    }
    try {
      CallEvent.Message event = asEvent(bytes, ownership, encoding, heldBytes);
      backlog.add(heldBytes); // before its reader sees it
      call.add(event);
    } catch (Throwable e) { // an error of a marshaller's costs its call, not the connection
      fault =
          Optional.of(
              Status.INTERNAL.withDescription("a received message cannot be parsed").withCause(e));
    }
  }

  /** At its first octet, for the rest may be long. */
  private void onOneTooMany() {
    if (fault.isEmpty()) {
      fault = Optional.of(Status.UNIMPLEMENTED.withDescription("more than one request message"));
    }
  }

  private CallEvent.Message asEvent(
      ByteBuffer bytes, Ownership ownership, MessageEncoding encoding, int heldBytes) {
    boolean plain = encoding == MessageEncoding.IDENTITY;
    if (plain && isParsedHere(bytes.remaining())) {
      return CallEvent.Message.parsed(Objects.requireNonNull(marshaller.parse(bytes)), heldBytes);
    }
    ByteBuffer own = ownership == Ownership.GIVEN ? bytes : copy(bytes);
    LongMessages of = longOnes();
    CallEvent.Message event = CallEvent.Message.unparsed(own, heldBytes, encoding, of.reading);
    of.large |= event.isLargeOnceRead();
    if (!plain) {
      charge(event, WorkShare.costBytes(heldBytes, event.decodedBytes()));
    } else if (!loop().work().owesNothing()) {
      charge(event, 0);
    }
    return event;
  }

  private boolean isParsedHere(int bytes) {
    return bytes <= TINY_BYTES || (bytes <= PARSED_ON_LOOP_BYTES && loop().mayParse(bytes));
  }

  private LongMessages longOnes() {
    LongMessages found = longOnes;
    if (found == null) {
      found = new LongMessages(loop().reading(maxMessageBytes));
      longOnes = found;
    }
    return found;
  }

  /** Pays for what the message makes us do, or has its reader wait until that is paid. */
  private void charge(CallEvent.Message event, long costBytes) {
    if (!loop().work().pay(costBytes)) {
      event.owe((int) Math.max(1, costBytes));
      ArrayDeque<CallEvent.Message> unpaid = longOnes().unpaid;
      unpaid.add(event);
      if (unpaid.size() == 1) {
        loop().work().await(this);
      }
    }
  }

  /** What the first message costs that is to be paid for. */
  int firstUnpaidBytes() {
    return longOnes().unpaid.element().unpaidBytes();
  }

  /** The first message that was to be paid for is; whether there are more. */
  boolean payFirst() {
    ArrayDeque<CallEvent.Message> messages = longOnes().unpaid;
    messages.remove().pay();
    call.touch();
    return !messages.isEmpty();
  }

  /** Nobody reads what waits: no work is done for it any more, and none is paid for. */
  private void giveUpReading() {
    LongMessages given = longOnes;
    if (given == null) {
      return;
    }
    given.reading.giveUp();
    if (!given.unpaid.isEmpty()) {
      given.unpaid.clear();
      loop().work().forget(this);
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.wrap(SpareArrays.SHARED.take(bytes.remaining())).put(bytes).flip();
  }
}
