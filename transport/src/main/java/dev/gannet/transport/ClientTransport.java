package dev.gannet.transport;

import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncodings;
import java.net.SocketAddress;

/** A connection that carries calls of a client. Safe for all threads. */
public interface ClientTransport {
  /** What a connection tells the channel that owns it; on the connection's thread. */
  interface Owner {
    /**
     * What the application says of itself in {@code user-agent}, before the library's own name;
     * empty if nothing. Asked before anything is told.
     */
    default String applicationUserAgent() {
      return "";
    }

    /** The message encodings that the client knows. Always the same. */
    default MessageEncodings encodings() {
      return MessageEncodings.DEFAULT;
    }

    /**
     * How many calls the server takes at a time, before {@link #onReady} and at each change. Not
     * told if it takes any number.
     */
    default void onMaxConcurrentStreams(long streams) {}

    /** Calls are carried from now on. */
    void onReady();

    /**
     * The server goes away: calls that are under way end in peace, new ones need another
     * connection.
     */
    void onGoingAway(Status why);

    /** The server says that it was asked for signs of life too often; it goes away, too. */
    void onTooManyPings();

    /** The server broke a rule that costs it the connection; the words are the same each time. */
    void onFault(SocketAddress server, String fault);

    /** The connection is closed because memory is short; the words say why it is this one. */
    void onShed(SocketAddress server, String why);

    /** The server broke a rule that costs it a stream; likewise. */
    void onStreamFault(SocketAddress server, String fault);

    /**
     * The connection is gone, and all its calls have ended. Told once, even if it was never ready.
     */
    void onTerminated(Status why);
  }

  /**
   * A new call; its begin goes to the wire with the first flush of the stream. Never blocks, never
   * fails: what goes wrong is told as {@link CallEvent.Closed}.
   */
  <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events);

  /** Asks the server for a sign of life, and tells the answer. Never blocks. */
  void ping(Ping ping);

  /** Who waits for the answer to a PING; told once, on any thread. */
  interface Ping {
    /** The answer has come after so long. */
    void onAnswer(long roundTripNanos);

    /** There is no connection, or not any more. */
    void onFailed(Status why);
  }

  /** Who is at the two ends. Any thread. */
  ConnectionInfo connection();

  /** How many calls wait here because the server takes no more at a time. Any thread. */
  default int callsWaiting() {
    return 0;
  }

  /** Carries no new calls and closes when those under way have ended. */
  void shutdown();

  /** Ends all calls with that status and closes. */
  void shutdownNow(Status status);
}
