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
 * <p>For each request, a transport takes these steps in this order, on the connection's thread or,
 * if it has none, on one thread at a time:
 *
 * <ol>
 *   <li>It finds the method by {@link ServerCalls#find}, then by {@link ServerCalls#findFallback}.
 *       If there is none, or if the client's deadline has passed, the request becomes no call: the
 *       client gets the status of {@link CallStatuses} or {@link RegistryFailures}, and {@link
 *       dev.gannet.transport.tracing.ServerTracers#onRefused} reports it.
 *   <li>It passes the stream, with its {@link #deadline}, to {@link
 *       dev.gannet.transport.tracing.ServerTracers#begin}, which makes the tracers of the request
 *       and calls {@link ServerMethod#begin}.
 *   <li>It asks {@link CallAdmission#of}. If the call is refused, it answers the client with that
 *       status, as after {@link #fail}, and adds only the end. A call that is {@linkplain
 *       CallAdmission.Pending pending} goes on for the transport.
 *   <li>It adds the events: messages, the half-close, readiness, and last, once, the end. From now
 *       on it enforces the deadline, the limits of {@link ServerMethod#limits}, and that a method
 *       gets a single request if it has one.
 * </ol>
 *
 * <p>If the listener {@linkplain CallEventListener#isTraced is traced}, it is also notified of what
 * is sent: {@link ServerCallEventListener#onResponseSent} before headers or a message go to the
 * client, {@link ServerCallEventListener#onEndGiven} before the end of a call that was answered.
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

  /**
   * When the call ends at the latest, by the client's timeout and the limits of its method ({@link
   * dev.gannet.transport.settings.CallBounds#deadline}). Empty if nothing limits it. Always the
   * same.
   *
   * <p>The transport enforces it, whatever the handler does; the engine only passes it on to the
   * handler, and to the calls that the handler makes. {@link
   * dev.gannet.transport.settings.ServerDeadline} says with which status the call ends, and whether
   * that waits for queued messages. The client watches its own deadline by its own clock.
   */
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
   * @param encoding the same as the headers say
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
   * notified that the call was cancelled. Any thread, also while another one sends: what that one
   * has not flushed may be lost.
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

  /**
   * Has the event loop of the call's connection run the task: at once if the calling thread is the
   * loop, or if the connection has none. Any thread.
   */
  void runOnLoop(Runnable task);

  /**
   * Runs the task where the events of the call are added, by one thread at a time with them, and
   * then {@linkplain CallEventListener#flush flushes} its listener, unless the call has ended. Any
   * thread; the task runs now or soon, and without a current call.
   */
  void inTurn(Runnable task);

  /** The application has taken a message; the client may send this many bytes more. */
  void consumed(int heldBytes);

  /**
   * The application has requested messages. Where a single message is expected, this need not be
   * called, unless the engine has said that it {@linkplain CallEventListener#isMessageRequested was
   * not requested} yet.
   */
  void requested();

  /**
   * The handler of a cancelled call has returned: the call does not count as concurrent any more.
   */
  void handlerEnded();
}
