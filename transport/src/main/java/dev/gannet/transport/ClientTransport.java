package dev.gannet.transport;

import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncodings;
import java.util.function.UnaryOperator;

/** A connection that carries calls of a client. Safe for all threads. */
public interface ClientTransport {
  /**
   * Receives the events of a connection for its channel: one at a time, on the connection's thread
   * or, if it has none, on the thread that caused the event. At most once {@link #onReady}; then
   * calls are carried until {@link #onGoingAway}; last, and once, {@link #onTerminated}.
   *
   * <p>The thread holds no lock, because the owner may use the connection before it returns. The
   * methods neither block nor throw.
   */
  interface Owner {
    /**
     * The {@code :authority} of the connection's calls, unless the start of a call has another.
     * Always the same; any thread.
     */
    String authority();

    /**
     * The application's part of {@code user-agent}, before the library's own name; empty if there
     * is none. Called before any event.
     */
    default String applicationUserAgent() {
      return "";
    }

    /** The message encodings of the client. Always the same. */
    default MessageEncodings encodings() {
      return MessageEncodings.DEFAULT;
    }

    /** Where the connection reports the faults of its server. Always the same object. */
    FaultReports faults();

    /**
     * The server's limit of concurrent calls, before {@link #onReady} and at each change. Not
     * called if there is no limit.
     */
    default void onMaxConcurrentStreams(long streams) {}

    /** Calls are carried from now on. */
    void onReady();

    /**
     * The server closes the connection: running calls end normally, new ones need another
     * connection.
     */
    void onGoingAway(Status why);

    /** The server reports too many PINGs; it also closes the connection. */
    void onTooManyPings();

    /**
     * The connection is closed, and all its calls have ended. Called once, even if it was never
     * ready.
     */
    void onTerminated(Status why);
  }

  /**
   * Creates a call; its start is written to the wire with the first flush of the stream. Never
   * blocks, never fails: errors are reported as {@link CallEvent.Closed}.
   *
   * <p>From that flush on, the transport notifies the listener, one call at a time, on the
   * connection's thread or, if it has none, on one thread at a time:
   *
   * <ol>
   *   <li>If the connection does not carry the call, or its server refuses it without processing
   *       it: {@link ClientCallEventListener#onNotProcessed}. If the answer is a target, all
   *       commands of the stream, earlier and later ones, go to that one, including the flush that
   *       starts the call there, and nothing more is reported here.
   *   <li>If the listener {@linkplain CallEventListener#isTraced is traced}: {@link
   *       ClientCallEventListener#onHeadersSent} when the start is written, then {@link
   *       ClientCallEventListener#onMessageSent} for each message. It traces the events itself.
   *   <li>The events: headers, messages, readiness, and last, once, the end. That may be the end by
   *       the deadline, which the transport enforces ({@link CallStart}).
   * </ol>
   */
  <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events);

  /** Sends a PING to the server, and reports the answer. Never blocks. */
  void ping(Ping ping);

  /** Receives the result of a PING; called once, on any thread. */
  interface Ping {
    /** The answer has arrived after this time. */
    void onAnswer(long roundTripNanos);

    /** There is no connection, or not any more. */
    void onFailed(Status why);

    /**
     * Whether nobody waits for the answer any more; the transport may then forget it. Any thread.
     */
    boolean isOver();
  }

  /** The addresses of the connection. Any thread. */
  ConnectionInfo connection();

  /** The {@link Owner#authority} of its owner. Any thread. */
  String authority();

  /**
   * The number of calls that wait because of the server's limit of concurrent calls. Any thread.
   */
  default int callsWaiting() {
    return 0;
  }

  /**
   * Calls may use other connections to the server, too, from now on. Those that have a stream get
   * another listener; those that wait for one move to another attempt ({@link
   * ClientCallEventListener#onNotProcessed}), and get another listener if there is none. By default
   * nothing happens: for transports that never call {@link Owner#onMaxConcurrentStreams}.
   *
   * @param listeners returns the listener that replaces a call's own; called on the thread that
   *     notifies that one
   */
  default void spreadCalls(UnaryOperator<ClientCallEventListener> listeners) {}

  /**
   * Accepts no new calls and closes when the running ones have ended. The owner may be notified of
   * the end before this returns; may be called again.
   */
  void shutdown();

  /** Ends all calls with this status and closes; otherwise like {@link #shutdown}. */
  void shutdownNow(Status status);
}
