package dev.gannet.transport;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.Transport;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of transport: it opens and accepts connections that carry calls, such as HTTP/2 over
 * sockets. Channels and servers know transports only by this interface. Safe for all threads.
 */
public interface TransportProvider extends Transport {
  /**
   * The owner of a connection that is to be opened; it is notified of events until the connection
   * is closed: of {@link #onNotOpened}, or of {@link #onOpened} and then of what {@link
   * ClientTransport.Owner} lists.
   */
  interface Opening extends ClientTransport.Owner {
    /**
     * The name that the server must prove, if the credentials require proof. Called before any
     * event, by the thread that opens the connection.
     *
     * @throws IllegalArgumentException if the authority contains no such name
     */
    String serverName();

    /** The connection is open; it carries calls after {@link #onReady}. */
    void onOpened(ClientTransport transport);

    /** No connection will be opened. The text says why, for a status. */
    void onNotOpened(String why);
  }

  /** Opens connections with credentials that were already checked. Safe for all threads. */
  @FunctionalInterface
  interface Connector {
    /**
     * Opens a connection in the background. Either {@code onOpened} or {@code onNotOpened} is
     * called, before this returns or later; after an exception of {@code onOpened} also {@code
     * onNotOpened}, possibly more than once.
     *
     * @return cancels the opening: a connection that is not open yet will not be opened, and {@code
     *     onNotOpened} says when that is certain
     */
    Scheduler.Cancellable connect(SocketAddress address, TransportSettings settings, Opening then);

    /**
     * The channel has ended: stops watching the credentials' files. May be called more than once.
     */
    default void close() {}
  }

  /**
   * A server that accepts connections at an address. For each connection its methods are called in
   * this order, and each at most once:
   *
   * <pre>
   *   admit ──► accept ──► Accepted.onOpened ──► onTerminated
   *         │          └─► Accepted.onNotOpened
   *         └─► onFailed
   *   each admitted one, when its socket is closed: onGone
   * </pre>
   *
   * <p>Called on the connection's thread, which must not hold a lock: the server may end the
   * connection in any of these methods, and runs filters and observers of applications in some. If
   * {@code accept} or {@code onOpened} throws, the transport closes the connection, and calls
   * {@code onGone} as always.
   */
  interface Accepting extends ServerTransport.Owner, Listening.Owner {
    /**
     * Registers an admitted connection after its handshake; called once, before its first call.
     * Empty if the connection is not wanted, or not any more: then it must be closed.
     */
    Optional<Accepted> accept(ConnectionInfo connection);
  }

  /** A connection that a server has registered. */
  interface Accepted {
    /** The server that serves its calls. Always the same object. */
    ServerCalls calls();

    /** The connection is open. Called before its first call. */
    void onOpened(ServerTransport transport);

    /** There will be no connection: it could not be started. */
    void onNotOpened();
  }

  /**
   * The clock, the timers, the threads for blocking work and the random numbers of this transport
   * and of all who use it. Always the same object.
   */
  Scheduler scheduler();

  /** If several transports can reach an address, the one with the highest priority is used. */
  int priority();

  /** The credentials of a channel that was given none; TLS by default. */
  default ChannelCredentials defaultCredentials() {
    return ChannelCredentials.tls();
  }

  /**
   * The security level of connections with these credentials. By default, only TLS protects them: a
   * transport with credentials of its own says what they protect.
   */
  default SecurityLevel securityLevel(ChannelCredentials credentials) {
    return credentials instanceof ChannelCredentials.Tls
        ? SecurityLevel.PRIVACY_AND_INTEGRITY
        : SecurityLevel.NONE;
  }

  /**
   * The same transport with that scheduler.
   *
   * @throws UnsupportedOperationException if this transport is bound to another one
   */
  default TransportProvider by(Scheduler scheduler) {
    throw new UnsupportedOperationException("the clock of this transport cannot be replaced");
  }

  /**
   * The same transport with those event loops. A transport that has no threads of its own returns
   * itself.
   *
   * @throws IllegalStateException if the loops are closed
   */
  default TransportProvider on(EventLoops loops) {
    return this;
  }

  /**
   * Opens connections with these credentials.
   *
   * @throws IllegalArgumentException if this transport cannot use the credentials
   */
  Connector connector(ChannelCredentials credentials);

  /**
   * Accepts connections from now on.
   *
   * @param settings the settings of each connection
   * @throws IOException if the address is in use, does not belong to this machine, or is of a kind
   *     that this transport does not know
   * @throws IllegalArgumentException if this transport cannot use the credentials
   */
  Listening listen(
      SocketAddress address,
      ServerCredentials credentials,
      TransportSettings settings,
      Accepting then)
      throws IOException;

  /**
   * The transport for networks with the highest priority on this class path or module path.
   *
   * @throws IllegalStateException if there is none
   */
  static TransportProvider find() {
    return find(new InetSocketAddress(0));
  }

  /**
   * The transport with the highest priority on this class path or module path that knows such
   * addresses.
   *
   * @throws IllegalStateException if there is none
   */
  static TransportProvider find(SocketAddress address) {
    ClassLoader loader = TransportProvider.class.getClassLoader();
    TransportProvider first = null; // no stream: its set-up would delay the first call
    for (TransportFactory factory : ServiceLoader.load(TransportFactory.class, loader)) {
      for (TransportProvider provider : factory.createFor(address)) {
        if (first == null || provider.priority() > first.priority()) {
          first = provider;
        }
      }
    }
    if (first == null) {
      throw new IllegalStateException(
          "no transport found: add gannet or gannet-transport-netty to the class path");
    }
    return first;
  }
}
