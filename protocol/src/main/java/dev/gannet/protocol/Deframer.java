package dev.gannet.protocol;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Turns the content of one request or response, however it is split, into messages, by the framing
 * of its protocol. gRPC's is {@link MessageDeframer}.
 *
 * <p>Not for several threads at once. What a peer sends never throws out of here; after the first
 * failure all further content is passed over. Memory is taken for what has come, not for what is
 * announced.
 */
public interface Deframer {
  /**
   * Takes the next piece, all of it, and hands on the messages that are whole now.
   *
   * @return why the call must end, once: {@code RESOURCE_EXHAUSTED} for a message over the limit,
   *     {@code INTERNAL} for one that is malformed; else empty
   */
  Optional<Status> push(ByteBuffer data, MessageDeframer.Receiver receiver);

  /** Lets go of what is held, for nobody wants it. From here on content is {@link #skip}ped. */
  void stopHolding();

  /**
   * Takes the next piece, all of it, and keeps nothing but where in its message it ends.
   *
   * @return whether a message became whole
   */
  boolean skip(ByteBuffer data);

  /**
   * Takes the end of the content, and hands on a message that ends with it.
   *
   * @return why the call must end, if it must
   */
  Optional<Status> end(MessageDeframer.Receiver receiver);

  /** Whether no part of an unfinished message is waiting for the rest. */
  boolean isIdle();

  /** How much of an unfinished message has come, its prefix included, in bytes. */
  int partBytes();

  /** How much of an unfinished message is known to be missing, in bytes. */
  int missingBytes();

  /** How much memory an unfinished message takes, in bytes. */
  int heldBytes();
}
