package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import java.util.Optional;

/**
 * A call on a server's transport, as the engine gives orders to it. The same rules as for {@link
 * ClientStream}.
 *
 * @param <R> the response message
 */
public interface ServerStream<R> {
  String authority();

  /** The request's metadata, made anew for each asking. */
  Metadata headers();

  Optional<Deadline> deadline();

  ConnectionInfo connection();

  /** The encodings that the server knows. */
  MessageEncodings encodings();

  /** Whether the client reads messages of that encoding. */
  boolean accepts(MessageEncoding encoding);

  /**
   * Sends headers; they go to the wire with what follows, or at a flush.
   *
   * @param encoding what compressed messages of this response are compressed with
   */
  void sendHeaders(Metadata headers, MessageEncoding encoding);

  /**
   * Sends one message, with headers before it if there were none yet.
   *
   * @param encoding the same as that of the headers
   * @param compressed whether this message is
   * @return how long it is as it travels, in bytes, without what frames it; 0 for an object that is
   *     handed over and has no length
   */
  int send(R message, MessageEncoding encoding, boolean compressed);

  /**
   * Sends the status and ends the call, behind all that was ordered; no flush is needed. May be
   * called while another thread sends: what that has not flushed may be lost.
   */
  void close(Status status, Metadata trailers);

  void flush();

  /**
   * Ends the call with an answer that its handler does not know of: events tell it that the call
   * was cancelled.
   */
  void fail(Status status, Metadata trailers);

  /** Ends the call without an answer, at once. */
  void cancel(Status status);

  boolean isReady();

  /** Whether the calling thread is the one that carries the call's connection. */
  boolean isOnLoop();

  /** A message was taken by the application; the client may send as much again. */
  void consumed(int heldBytes);

  /** The application has asked for messages; needs not be called where a single one is to come. */
  void requested();

  /**
   * The handler of a cancelled call has come back: the call does not count as concurrent any more.
   */
  void handlerEnded();
}
