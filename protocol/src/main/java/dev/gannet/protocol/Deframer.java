package dev.gannet.protocol;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Splits the content of one request or response, in whatever pieces it arrives, into messages, by
 * the framing of its protocol. gRPC's is {@link MessageDeframer}.
 *
 * <p>Not thread-safe. Nothing that a peer sends makes it throw; after the first failure all further
 * content is ignored. Memory is allocated for what has arrived, not for what is announced.
 */
public interface Deframer {
  /**
   * Takes the next piece, all of it, and passes on the messages that are now complete.
   *
   * @return why the call must end, once: {@code RESOURCE_EXHAUSTED} for a message over the limit,
   *     {@code INTERNAL} for a malformed one; otherwise empty
   */
  Optional<Status> push(ByteBuffer data, MessageDeframer.Receiver receiver);

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
  Optional<Status> end(MessageDeframer.Receiver receiver);

  /** Whether no part of an incomplete message is held. */
  boolean isIdle();

  /** How much of an incomplete message has arrived, including its prefix, in bytes. */
  int partBytes();

  /** How much of an incomplete message is known to be missing, in bytes. */
  int missingBytes();

  /** How much memory an incomplete message takes, in bytes. */
  int heldBytes();
}
