package dev.gannet.transport;

import dev.gannet.api.Status;
import java.nio.ByteBuffer;

/**
 * A call on a client's transport, used by the engine. Sending is for one thread at a time; {@link
 * #cancel}, {@link #isReady} and {@link #consumed} for any thread. Commands take effect at the next
 * {@link #flush} at the latest; after the end of the call they do nothing.
 */
public interface ClientStream<Q> {
  /**
   * Sends one message.
   *
   * @param compressed whether to use the call's encoding for it
   * @throws dev.gannet.api.StatusException if the message cannot be written or is over its limit
   */
  void send(Q message, boolean compressed);

  /** Sends a message that another stream of the call has framed: this buffer, from its position. */
  void sendFramed(ByteBuffer frame);

  void halfClose();

  /** Writes the commands so far, including the start of the call, to the wire. */
  void flush();

  /** Ends the call with this status, at once. */
  void cancel(Status status);

  /** The addresses of its connection; also after the call's end. Any thread. */
  ConnectionInfo connection();

  /** Whether more can be sent because few bytes are queued. */
  boolean isReady();

  /** The application has taken a message; the peer may send as much again. */
  void consumed(int heldBytes);

  /** The application has requested messages; need not be called if there is a single one. */
  void requested();
}
