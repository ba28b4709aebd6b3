package dev.gannet.transport;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;

/**
 * A call on a client's transport, as the engine gives orders to it. Sending is for one thread at a
 * time; {@link #cancel}, {@link #isReady} and {@link #consumed} are for any. Orders take effect at
 * the next {@link #flush} at the latest; once the call is over they do nothing.
 */
public interface ClientStream<Q> {
  /**
   * Sends one message.
   *
   * @param compressed whether to use the call's encoding for it
   * @throws dev.gannet.api.StatusException if the message cannot be written or is over its limit
   */
  void send(Q message, boolean compressed);

  /** Sends a message that another stream of the call has framed: that buffer, from its position. */
  void sendFramed(ByteBuffer frame);

  void halfClose();

  /** Lets what was ordered go to the wire, the begin of the call too. */
  void flush();

  /** Ends the call with that status, at once. */
  void cancel(Status status);

  /** Who is at the two ends of its connection; after the call's end as well. Any thread. */
  ConnectionInfo connection();

  /** Whether little enough is queued to send on. */
  boolean isReady();

  /** A message was taken by the application; the peer may send as much again. */
  void consumed(int heldBytes);

  /** The application has asked for messages; needs not be called where a single one is to come. */
  void requested();
}
