package dev.gannet.protocol;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Splits the content of one request or response, in whatever pieces it arrives, into messages, by
 * the framing of its protocol. gRPC's is {@link MessageDeframer}; {@link WholeContentDeframer} is
 * for protocols whose requests are one message without a prefix.
 *
 * <p>Not thread-safe. Nothing that a peer sends makes it throw; after the first failure all further
 * content is ignored. Memory is allocated for what has arrived, not for what is announced.
 */
public interface Deframer {
  /** The owner of the bytes of a message. */
  enum Ownership {
    /**
     * Valid only until the method returns; the position may be changed, the limit must not be
     * raised.
     */
    LENT,
    /** The bytes belong to the receiver now, which may give them to the {@link ArraySource}. */
    GIVEN
  }

  /** Receives messages one by one. */
  interface Receiver {
    /**
     * A complete message. An exception is thrown on by {@link Deframer#push}; then this message,
     * and nothing after it, was taken from the data.
     *
     * @param bytes the message as received, between position and limit; heap or direct, in any byte
     *     order
     * @param encoding its encoding; the reader {@linkplain MessageEncoding#decode decodes} it
     */
    void message(ByteBuffer bytes, Ownership ownership, MessageEncoding encoding);
  }

  /**
   * Takes the next piece, all of it, and passes on the messages that are now complete.
   *
   * @return why the call must end, once: {@code RESOURCE_EXHAUSTED} for a message over the limit,
   *     {@code INTERNAL} for a malformed one; otherwise empty
   */
  Optional<Status> push(ByteBuffer data, Receiver receiver);

  /** Drops what is held, because nobody wants it. From now on content is {@link #skip}ped. */
  void stopHolding();

  /**
   * Takes the next piece, all of it, and only keeps track of where messages end.
   *
   * @return whether a message became complete
   */
  boolean skip(ByteBuffer data);

  /**
   * Takes the end of the content, and passes on a message that ends with it.
   *
   * @return why the call must end, if it must
   */
  Optional<Status> end(Receiver receiver);

  /** Whether no part of an incomplete message is held. */
  boolean isIdle();

  /** How much of an incomplete message has arrived, including its prefix, in bytes. */
  int partBytes();

  /** How much of an incomplete message is known to be missing, in bytes. */
  int missingBytes();

  /** How much memory an incomplete message takes, in bytes. */
  int heldBytes();
}
