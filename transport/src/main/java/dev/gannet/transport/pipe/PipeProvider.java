package dev.gannet.transport.pipe;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.SocketAddress;

/** Opens and accepts pipes. Found by {@link java.util.ServiceLoader}; safe for all threads. */
public interface PipeProvider {
  /**
   * The result of an attempt to connect; exactly one method is called, and {@link #onFailed} also
   * after an exception of {@link #onOpen}.
   */
  interface Connecting {
    /** The pipe is open, including TLS and ALPN. Returns its listener. On the pipe's loop. */
    PipeListener onOpen(Pipe pipe);

    /** The pipe did not open; the text is for a status. */
    void onFailed(String why);

    /**
     * The limits of the peer; of these, TLS uses the time for the handshake and the rates of
     * records.
     */
    default ConnectionLimits connectionLimits() {
      return ConnectionLimits.of(TransportSettings.OF_CLIENTS);
    }

    /** The options of the pipe's socket, if it has one. */
    default SocketOptions socketOptions() {
      return SocketOptions.DEFAULT;
    }
  }

  /** What a server does with the pipes of an address; called on the loops of the connections. */
  interface Accepting {
    /** Decides which connections are accepted. Always the same object. */
    Listening.Owner owner();

    /**
     * The limits of the peer; of these, TLS uses the time for the handshake and the rates of
     * records.
     */
    default ConnectionLimits connectionLimits() {
      return ConnectionLimits.of(TransportSettings.OF_SERVERS);
    }

    /** The options of the listening socket and of its pipes' sockets, if there are any. */
    default SocketOptions socketOptions() {
      return SocketOptions.DEFAULT;
    }

    /** The pipe is open, including TLS and ALPN. Returns its listener. On the pipe's loop. */
    PipeListener onOpen(Pipe pipe);
  }

  /** Opens pipes with credentials that were already checked. Safe for all threads. */
  @FunctionalInterface
  interface Connector {
    /**
     * Opens a pipe in the background; the result may be reported before this returns.
     *
     * @param serverName the name that the server's certificate must contain
     * @return cancels the attempt: a pipe that is not open yet will not be opened, and {@code
     *     onFailed} says when that is certain; any thread
     */
    Scheduler.Cancellable connect(SocketAddress address, String serverName, Connecting then);

    /**
     * Opens no more pipes, and stops watching the credentials' files. Open pipes stay open. May be
     * called more than once.
     */
    default void close() {}
  }

  /** The priority: among the providers that know an address, the highest one wins. */
  int priority();

  /**
   * Whether its pipes are meant for addresses of that kind. A provider that knows every kind takes
   * all connections from providers with a lower priority, TCP's included.
   */
  boolean knows(SocketAddress address);

  /** The credentials of a channel that was given none; TLS by default. */
  default ChannelCredentials defaultCredentials() {
    return ChannelCredentials.tls();
  }

  /**
   * What protects pipes that are opened with these credentials. By default TLS does, and nothing
   * else: pipes that have no TLS, or another protection, have to say so.
   */
  default SecurityLevel securityLevel(ChannelCredentials credentials) {
    return credentials instanceof ChannelCredentials.Tls
        ? SecurityLevel.PRIVACY_AND_INTEGRITY
        : SecurityLevel.NONE;
  }

  /**
   * The same pipes on those event loops; a provider without threads of its own returns itself.
   *
   * @throws IllegalStateException if the loops are closed
   */
  default PipeProvider on(EventLoops loops) {
    return this;
  }

  /**
   * Prepares to open pipes with these credentials, which are checked by this call.
   *
   * @throws IllegalArgumentException if they cannot be used
   */
  Connector connector(ChannelCredentials credentials);

  /**
   * Accepts pipes from now on.
   *
   * @param then decides which connections are accepted, and creates the listeners of new pipes
   * @throws IOException if the address is in use or does not belong to this machine
   * @throws IllegalArgumentException if the credentials cannot be used
   */
  Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
      throws IOException;

  /** The clock and the timers of these pipes. */
  Scheduler scheduler();
}
