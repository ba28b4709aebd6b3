package dev.gannet.protocol;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The framing of protocols with one message per request and without a prefix: the whole content is
 * the message, and it is passed on when the content ends.
 *
 * <ul>
 *   <li>It does not matter whether the last DATA frame or trailers end the content; their fields
 *       are not seen here. A request without content has an empty message, which counts as
 *       uncompressed whatever the encoding.
 *   <li>The content itself does not say how long it is, so an early end makes a shorter message. A
 *       {@code content-length} is checked by HTTP/2, which resets a stream with less or more (RFC
 *       9113 §8.1.1). A stream that is reset has no message: the call {@linkplain #stopHolding
 *       stops holding} it.
 *   <li>At the first byte above the limit, {@link #push} returns {@code RESOURCE_EXHAUSTED}. What
 *       was held is dropped, and all further content is ignored.
 *   <li>What has arrived is copied: the first piece to an array of its length, and more to arrays
 *       of at most twice the length of what has arrived. The message belongs to its receiver, in an
 *       array that is at most a quarter longer than the message, or as long as the source makes it.
 *   <li>Each array goes back to its source when it is replaced, when the content exceeds the limit,
 *       or when the call does not want it any more; that of the message belongs to the receiver.
 * </ul>
 *
 * <p>Not thread-safe, like every deframer. Nothing that a peer sends makes it throw.
 */
public final class WholeContentDeframer implements Deframer {
  /** This fraction of a message may be unused in its array. */
  private static final int UNUSED_PART = 4;

  private static final byte[] NOTHING = {};

  private final MessageEncoding encoding;
  private final int maxMessageBytes;
  private final ArraySource arrays;

  /** Whether the message was passed on, or never will be. */
  private boolean over;

  private byte[] held = NOTHING;
  private int heldMessageBytes;

  /**
   * @param encoding the encoding of the whole content; {@link MessageEncoding#IDENTITY} if it is
   *     not compressed
   * @param maxMessageBytes how long the content may be as received; 0 or more, at most {@link
   *     MessageFrame#MAX_MESSAGE_BYTES}
   * @param arrays the source of all arrays
   * @throws IllegalArgumentException if the limit is negative
   */
  public WholeContentDeframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
    if (maxMessageBytes < 0) {
      throw new IllegalArgumentException("maxMessageBytes: " + maxMessageBytes);
    }
    this.encoding = encoding;
    this.maxMessageBytes = Math.min(maxMessageBytes, MessageFrame.MAX_MESSAGE_BYTES);
    this.arrays = arrays;
  }

  /**
   * Takes the next piece, all of it. Passes nothing on.
   *
   * @return {@code RESOURCE_EXHAUSTED}, once, if the content exceeds the limit; otherwise empty
   */
  @Override
  public Optional<Status> push(ByteBuffer data, Receiver receiver) {
    if (over) {
      data.position(data.limit());
      return Optional.empty();
    }
    if (data.remaining() > maxMessageBytes - heldMessageBytes) {
      skip(data);
      return Optional.of(MessageSizeLimit.OF_RECEIVED_REQUESTS.exceededByContent(maxMessageBytes));
    }
    hold(data);
    return Optional.empty();
  }

  private void hold(ByteBuffer data) {
    int count = data.remaining();
    int neededBytes = heldMessageBytes + count;
    if (neededBytes > held.length) {
      boolean first = heldMessageBytes == 0;
      moveTo(first ? neededBytes : (int) Math.min(2L * neededBytes, maxMessageBytes));
    }
    data.get(held, heldMessageBytes, count);
    heldMessageBytes = neededBytes;
  }

  private void moveTo(int leastBytes) {
    byte[] other = arrays.take(leastBytes);
    System.arraycopy(held, 0, other, 0, heldMessageBytes);
    giveBack();
    held = other;
  }

  private void giveBack() {
    if (held.length > 0) {
      arrays.give(held);
    }
  }

  /** Drops what is held and gives its array back. Further content, and its end, are ignored. */
  @Override
  public void stopHolding() {
    over = true;
    giveBack();
    clear();
  }

  private void clear() {
    held = NOTHING;
    heldMessageBytes = 0;
  }

  /**
   * Takes the next piece, all of it, and drops what is held.
   *
   * @return {@code false}: the message ends with the content
   */
  @Override
  public boolean skip(ByteBuffer data) {
    data.position(data.limit());
    stopHolding();
    return false;
  }

  /**
   * Takes the end of the content and passes on the message, unless it was dropped or passed on
   * before. An exception of the receiver is thrown on.
   *
   * @return always empty
   */
  @Override
  public Optional<Status> end(Receiver receiver) {
    if (!over) {
      over = true;
      // The memory budget counts a kept message's length, so its array may be little longer.
      if (held.length - heldMessageBytes > heldMessageBytes / UNUSED_PART) {
        moveTo(heldMessageBytes);
      }
      ByteBuffer message = ByteBuffer.wrap(held, 0, heldMessageBytes);
      clear();
      receiver.message(
          message, Ownership.GIVEN, message.hasRemaining() ? encoding : MessageEncoding.IDENTITY);
    }
    return Optional.empty();
  }

  @Override
  public boolean isIdle() {
    return heldMessageBytes == 0;
  }

  @Override
  public int partBytes() {
    return heldMessageBytes;
  }

  /** Always 0: the end is not known before it comes. */
  @Override
  public int missingBytes() {
    return 0;
  }

  @Override
  public int heldBytes() {
    return held.length;
  }
}
