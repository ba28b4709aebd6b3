package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import java.util.Optional;

/**
 * A call on a server's transport, as the engine controls it. The same rules as for {@link
 * ClientStream} hold.
 *
 * @param <R> the response message
 */
public interface ServerStream<R> {
  /** When a message is written. */
  enum Flush {
    /** At once, with what was sent before. */
    NOW,

    /** With the status, or at a flush: for the only message of a response. */
    WITH_STATUS
  }

  String authority();

  /** The request's metadata, a new object at each call. */
  Metadata headers();

  Optional<Deadline> deadline();

  ConnectionInfo connection();

  /** What reads the messages of this request; by default the method's own marshaller. */
  default <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> method) {
    return method.requestMarshaller();
  }

  /** The encodings that the server knows. */
  MessageEncodings encodings();

  /** Whether the client accepts messages in that encoding. */
  boolean accepts(MessageEncoding encoding);

  /**
   * Sends headers; they are written with what follows, or at a flush.
   *
   * @param encoding the encoding of the compressed messages of this response
   */
  void sendHeaders(Metadata headers, MessageEncoding encoding);

  /**
   * Sends one message, with headers before it if none were sent yet.
   *
   * @param encoding the same as that of the headers
   * @param compressed whether this message is
   * @return its size on the network in bytes, without the message prefix; 0 for a message that is
   *     passed as an object
   */
  int send(R message, MessageEncoding encoding, boolean compressed, Flush flush);

  /**
   * Sends the status after everything that was sent before, and ends the call; no flush is needed.
   * It may be called while another thread sends: what that thread has not flushed may be lost.
   */
  void close(Status status, Metadata trailers);

  /**
   * Writes what was sent so far, including the headers, to the wire. For the thread that sends;
   * after the end of the call it does nothing.
   */
  void flush();

  /**
   * Ends the call with an answer that does not come from its handler; the handler's listener is
   * notified that the call was cancelled.
   */
  void fail(Status status, Metadata trailers);

  /** Ends the call at once, without an answer. */
  void cancel(Status status);

  /**
   * Whether more can be sent because few bytes are queued; the engine is notified when that becomes
   * true again. Any thread.
   */
  boolean isReady();

  /** Whether the calling thread is the event loop of the call's connection. */
  boolean isOnLoop();

  /** The application has taken a message; the client may send this many bytes more. */
  void consumed(int heldBytes);

  /**
   * The application has requested messages; need not be called where a single message is expected.
   */
  void requested();

  /**
   * Whether the handler may start: its request is complete, or is a stream, and the call was not
   * cancelled. The engine asks once, on the connection's thread. For streams that wrap another one,
   * which they ask first; that of a transport admits every call.
   */
  default CallAdmission admit() {
    return CallAdmission.ADMITTED;
  }

  /**
   * The call has ended before its answer was written; on the connection's thread. For streams that
   * wrap another one, as {@link #admit}.
   */
  default void cutOff() {}

  /** The handler of the call starts, for streams that count. On the handler's thread. */
  default void handlerStarted() {}

  /**
   * The handler of a cancelled call has returned: the call does not count as concurrent any more.
   */
  void handlerEnded();
}
