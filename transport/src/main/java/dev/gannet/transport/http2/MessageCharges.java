package dev.gannet.transport.http2;

import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.MessageReading;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the long or compressed messages of one call cost apart from their own bytes: the work of
 * reading them, which {@link WorkShare} pays before the reader may take them, and the memory of
 * what a handler makes of a large request. Only calls that receive such messages have one. Confined
 * to the connection's loop.
 */
final class MessageCharges implements WorkShare.Debtor {
  /**
   * Messages of this size or more are accepted only if there is memory for what becomes of them.
   */
  private static final int LARGE_BYTES = 64 << 10;

  /**
   * What a handler holds of a large message, as a multiple of it: the parsed message, and a
   * response as long.
   */
  static final int HANDLER_MEMORY_FACTOR = 2;

  private final ReceivingCall call;
  private final ReceivingParts parts;
  private final MessageReading reading;

  /**
   * The messages whose work is not paid yet; the first one is paid next. Null until there is one.
   */
  private @Nullable ArrayDeque<CallEvent.Received> unpaid;

  private int handlerBytes;
  private int reservedBytes;
  private boolean large;

  MessageCharges(ReceivingCall call, ReceivingParts parts) {
    this.call = call;
    this.parts = parts;
    this.reading = parts.readings().ofCall(call);
  }

  /**
   * A message that its reader parses, and whose work is charged. If the budget does not allow it
   * yet, its reader has to wait.
   *
   * @param own bytes that belong to the message
   */
  CallEvent.Received charge(ByteBuffer own, MessageEncoding encoding, int heldBytes) {
    CallEvent.Received event = CallEvent.Message.unparsed(own, heldBytes, encoding, reading);
    large |= event.isLargeOnceRead();
    if (encoding != MessageEncoding.IDENTITY) {
      charge(event, WorkShare.costBytes(heldBytes, event.decodedBytes()));
    } else if (!parts.work().owesNothing()) {
      charge(event, 0);
    }
    return event;
  }

  private void charge(CallEvent.Received event, long costBytes) {
    if (parts.work().pay(costBytes)) {
      return;
    }
    event.owe((int) Math.max(1, costBytes));
    if (unpaid == null) {
      unpaid = new ArrayDeque<>(1);
    }
    unpaid.add(event);
    if (unpaid.size() == 1) {
      parts.work().await(this);
    }
  }

  /** Whether a message has arrived that may take too long to be parsed on an event loop. */
  boolean isLarge() {
    return large;
  }

  @Override
  public int firstUnpaidBytes() {
    return waiting().element().unpaidBytes();
  }

  @Override
  public boolean payFirst() {
    waiting().remove().pay();
    call.touch();
    return !waiting().isEmpty();
  }

  /** The unpaid messages, of which a debtor has some. */
  private ArrayDeque<CallEvent.Received> waiting() {
    return Objects.requireNonNull(unpaid);
  }

  /**
   * The call ends, or the next step of its end comes. What nobody will read is not parsed any more,
   * and nothing is charged for it.
   */
  void end(Unread unread) {
    setReservedBytes(0);
    if (unread != Unread.LEFT_TO_READER) {
      cancelParsing();
    }
    if (unread == Unread.DROPPED) {
      setHandlerBytes(0);
    }
  }

  private void cancelParsing() {
    reading.giveUp();
    if (unpaid != null && !unpaid.isEmpty()) {
      unpaid.clear();
      parts.work().forget(this);
    }
  }

  /** Whether handlers make so much of a message of that size that their memory counts. */
  static boolean needsRoom(long messageBytes) {
    return messageBytes >= LARGE_BYTES;
  }

  /**
   * Reserves memory for a large message, as far as it has arrived, and for what its handler will
   * make of it; returns false if its rest does not fit.
   */
  boolean tryReserveRest(Deframer deframer) {
    int missing = deframer.missingBytes();
    int forHandler = parts.memory().handlerBytes((long) deframer.partBytes() + missing);
    setReservedBytes(
        (int) Math.min(forHandler, HANDLER_MEMORY_FACTOR * (long) deframer.partBytes()));
    int countedBytes = Math.min(missing, deframer.heldBytes() - deframer.partBytes());
    long rest = (long) missing - Math.max(0, countedBytes) + forHandler - reservedBytes;
    return parts.memory().tryMakeRoom(rest);
  }

  /** The memory that is reserved for what a handler will make of a message that arrives. */
  int reservedBytes() {
    return reservedBytes;
  }

  void setReservedBytes(int bytes) {
    if (bytes != reservedBytes) {
      parts.memory().changeReserved(bytes - reservedBytes);
      reservedBytes = bytes;
    }
  }

  /** A large message is the only request of its handler, which holds it until it has answered. */
  void countHandler(int messageBytes) {
    setHandlerBytes(parts.memory().handlerBytes(messageBytes));
  }

  /** Sets what a handler holds of its only request. */
  void setHandlerBytes(int bytes) {
    if (bytes != handlerBytes) {
      parts.calls().changeHandlers(bytes - handlerBytes);
      handlerBytes = bytes;
    }
  }
}
