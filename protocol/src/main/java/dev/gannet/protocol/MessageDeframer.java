package dev.gannet.protocol;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The incoming side of message framing: splits one call's DATA, in whatever pieces it arrives, into
 * messages (PROTOCOL-HTTP2, Length-Prefixed-Message; see the drawing at {@link MessageFrame}).
 *
 * <p>A message that is complete in one piece of data is passed on without copying. Of other
 * messages the part that arrived is copied and held: the first piece, if it is less than half of
 * the message, in an array of its length (or {@value #MIN_BUFFER_BYTES} bytes), and otherwise in an
 * array hardly more than twice as long as what has arrived. Once a fifth of a message has arrived,
 * its array may be as long as the message if such an array is available. A length prefix alone
 * allocates nothing.
 *
 * <p>A call whose messages nobody wants any more has them {@linkplain #skip skipped}.
 *
 * <p>Not thread-safe. Nothing that a peer sends makes it throw. After the first failure all further
 * data are ignored.
 */
public final class MessageDeframer implements Deframer {
  static final int MIN_BUFFER_BYTES = 256;

  /**
   * This fraction of a message must have arrived before an array for the whole message is
   * requested. A frame of 16 KiB is enough for a message of 64 KiB.
   */
  private static final int FAIR_PART = 5;

  private static final byte[] NOTHING = {};

  private final MessageEncoding encoding;
  private final ArraySource arrays;
  private final MessageSizeLimit limit;
  private final int maxMessageBytes;

  private boolean failed;
  private byte prefixBytes;
  private int flag;
  private int length; // unsigned until it was found to be within the limit
  private byte[] held = NOTHING;
  private int heldMessageBytes;

  /**
   * @param encoding the encoding of messages with a set flag
   * @param maxMessageBytes how long a message may be as received; 0 or more, at most {@link
   *     MessageFrame#MAX_MESSAGE_BYTES}
   * @param limit what {@code maxMessageBytes} is, for the status of a longer message
   * @param arrays the source of arrays for incomplete messages
   * @throws IllegalArgumentException if the limit is negative
   */
  public MessageDeframer(
      MessageEncoding encoding, int maxMessageBytes, MessageSizeLimit limit, ArraySource arrays) {
    if (maxMessageBytes < 0) {
      throw new IllegalArgumentException("maxMessageBytes: " + maxMessageBytes);
    }
    this.encoding = encoding;
    this.arrays = arrays;
    this.limit = limit;
    this.maxMessageBytes = Math.min(maxMessageBytes, MessageFrame.MAX_MESSAGE_BYTES);
  }

  /**
   * Takes the next piece of data, all of it, and passes on the messages that are now complete.
   *
   * @return why the call must end, once: {@code RESOURCE_EXHAUSTED} for a message over the limit,
   *     {@code INTERNAL} for a malformed one; otherwise empty
   */
  @Override
  public Optional<Status> push(ByteBuffer data, Receiver receiver) {
    while (!failed && completePrefix(data)) {
      Optional<Status> failure = checkPrefix();
      if (failure.isPresent()) {
        fail();
        data.position(data.limit());
        return failure;
      }
      if (!isWholeWith(data)) {
        hold(data, data.remaining());
      } else if (heldMessageBytes == 0) {
        showInPlace(data, receiver);
      } else {
        showHeld(data, receiver);
      }
      if (!data.hasRemaining()) {
        return Optional.empty();
      }
    }
    data.position(data.limit());
    return Optional.empty();
  }

  /** Drops what is held, because nobody wants it. From now on data are {@link #skip}ped. */
  @Override
  public void stopHolding() {
    held = NOTHING;
  }

  /**
   * Takes the next piece of data, all of it, and only keeps track of where messages end.
   *
   * @return whether a message became complete
   */
  @Override
  public boolean skip(ByteBuffer data) {
    boolean whole = false;
    while (!failed && completePrefix(data)) {
      if (checkPrefix().isPresent()) {
        fail();
      } else if (isWholeWith(data)) {
        data.position(data.position() + length - heldMessageBytes);
        clear();
        whole = true;
      } else {
        heldMessageBytes += data.remaining();
        break;
      }
    }
    data.position(data.limit());
    return whole;
  }

  /**
   * Takes the end of the data.
   *
   * @return {@code INTERNAL} if it is inside a message; otherwise empty
   */
  @Override
  public Optional<Status> end(Receiver receiver) {
    return end();
  }

  /** The same for a caller that has no receiver: no gRPC message ends with the end of the data. */
  public Optional<Status> end() {
    if (isIdle()) {
      return Optional.empty();
    }
    fail();
    return Optional.of(Status.INTERNAL.withDescription("the stream ended inside a message"));
  }

  /** Whether no part of an incomplete message, nor of its prefix, is held. */
  @Override
  public boolean isIdle() {
    return prefixBytes == 0;
  }

  /** How much of an incomplete message has arrived, including its prefix, in bytes. */
  @Override
  public int partBytes() {
    return prefixBytes + heldMessageBytes;
  }

  /** How much of an incomplete message is known to be missing, in bytes. */
  @Override
  public int missingBytes() {
    if (isIdle()) {
      return 0;
    }
    return prefixBytes < MessageFrame.PREFIX_BYTES
        ? MessageFrame.PREFIX_BYTES - prefixBytes
        : length - heldMessageBytes;
  }

  /** How much memory an incomplete message takes, in bytes. */
  @Override
  public int heldBytes() {
    return held.length;
  }

  /** Reads the available bytes of the prefix; returns whether it is complete now. */
  private boolean completePrefix(ByteBuffer data) {
    if (prefixBytes == 0 && data.remaining() >= MessageFrame.PREFIX_BYTES) {
      flag = data.get() & 0xff;
      int read = data.getInt();
      length = data.order() == ByteOrder.BIG_ENDIAN ? read : Integer.reverseBytes(read);
      prefixBytes = MessageFrame.PREFIX_BYTES;
      return true;
    }
    while (prefixBytes < MessageFrame.PREFIX_BYTES && data.hasRemaining()) {
      int octet = data.get() & 0xff;
      if (prefixBytes++ == 0) {
        flag = octet;
        length = 0;
      } else {
        length = length << 8 | octet;
      }
    }
    return prefixBytes == MessageFrame.PREFIX_BYTES;
  }

  private Optional<Status> checkPrefix() {
    if (flag != MessageFrame.PLAIN && flag != MessageFrame.COMPRESSED) {
      return malformed("a message has the undefined compression flag " + flag);
    }
    if (flag == MessageFrame.COMPRESSED && encoding == MessageEncoding.IDENTITY) {
      return malformed("a message is compressed, but the headers have no grpc-encoding");
    }
    if (Integer.compareUnsigned(length, maxMessageBytes) > 0) {
      return Optional.of(limit.exceededBy(Integer.toUnsignedLong(length), maxMessageBytes));
    }
    return Optional.empty();
  }

  private boolean isWholeWith(ByteBuffer data) {
    return data.remaining() >= length - heldMessageBytes;
  }

  /** Appends the next bytes to those that are held. */
  private void hold(ByteBuffer data, int count) {
    int neededBytes = heldMessageBytes + count;
    if (neededBytes > held.length) {
      boolean small = heldMessageBytes == 0 && neededBytes * 2L < length;
      long wishedBytes = small ? neededBytes : neededBytes * 2L;
      long bufferBytes = Math.min(Math.max(wishedBytes, MIN_BUFFER_BYTES), length);
      boolean fair = neededBytes >= length / FAIR_PART;
      byte[] larger =
          fair ? arrays.take((int) bufferBytes, length) : arrays.take((int) bufferBytes);
      System.arraycopy(held, 0, larger, 0, heldMessageBytes);
      arrays.give(held);
      held = larger;
    }
    data.get(held, heldMessageBytes, count);
    heldMessageBytes = neededBytes;
  }

  private void showInPlace(ByteBuffer data, Receiver receiver) {
    int limit = data.limit();
    int end = data.position() + length;
    data.limit(end);
    try {
      show(data, Ownership.LENT, receiver);
    } finally {
      data.limit(limit).position(end);
    }
  }

  private void showHeld(ByteBuffer data, Receiver receiver) {
    hold(data, length - heldMessageBytes);
    show(ByteBuffer.wrap(held, 0, length), Ownership.GIVEN, receiver);
  }

  private void show(ByteBuffer bytes, Ownership ownership, Receiver receiver) {
    clear();
    receiver.message(
        bytes, ownership, flag == MessageFrame.PLAIN ? MessageEncoding.IDENTITY : encoding);
  }

  private static Optional<Status> malformed(String how) {
    return Optional.of(Status.INTERNAL.withDescription(how));
  }

  private void clear() {
    prefixBytes = 0;
    heldMessageBytes = 0;
    held = NOTHING;
  }

  private void fail() {
    failed = true;
    clear();
  }
}
