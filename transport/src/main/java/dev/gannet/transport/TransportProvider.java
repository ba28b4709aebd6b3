package dev.gannet.transport;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Comparator;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of transport: opens and accepts connections that carry calls, such as HTTP/2 over sockets.
 * Channels and servers know transports by this interface alone. Safe for all threads.
 */
public interface TransportProvider extends Scheduler, Transport {
  /** Who wants a connection, and is told of it until it is gone. */
  interface Opening extends ClientTransport.Owner {
    /** The connection is open; it carries calls once {@link #onReady} is told. */
    void onOpened(ClientTransport transport);

    /** No connection will be opened. The text says why, for a status. */
    void onNotOpened(String why);
  }

  /** Opens connections with credentials that it has understood. Safe for all threads. */
  @FunctionalInterface
  interface Connector {
    /**
     * Opens a connection in the background. Exactly one of {@code onOpened} and {@code onNotOpened}
     * is told, before this returns or later.
     *
     * @return takes it back: a connection that is not open yet will not be, and {@code onNotOpened}
     *     tells when that is sure
     */
    Cancellable connect(SocketAddress address, TransportSettings settings, Opening then);

    /** The channel has ended: what is watched over for it is let go. May come again. */
    default void close() {}
  }

  /** A server that accepts connections at an address; called on the connections' threads. */
  interface Accepting extends ServerTransport.Owner {
    /**
     * Whether a new connection may stay. Asked before the connection costs more than its socket,
     * and before any TLS.
     */
    boolean admits(SocketAddress remote);

    /**
     * Lets in a connection that was admitted and has been set up; asked once, before its first
     * call. Empty if it is not wanted, or not any more: then it is to be closed.
     */
    Optional<Accepted> accept(ConnectionInfo connection);

    /** A connection that was admitted did not open; the text is for a log. */
    void onFailed(SocketAddress remote, String why);

    /** A connection that was admitted is gone, whether it was ever open or not. */
    void onGone(SocketAddress remote);

    /** A connection could not be accepted, for want of file descriptors or memory. */
    void onNotAccepted();

    /**
     * Nothing is accepted at the address any more, although nobody has closed the {@link
     * Listening}. Told once, on any thread.
     */
    void onStopped();
  }

  /** A connection that a server has let in. */
  interface Accepted {
    /** Who serves its calls. Always the same. */
    ServerCalls calls();

    /** The connection is open. Told before its first call. */
    void onOpened(ServerTransport transport);
  }

  /** Of several that carry calls to an address, the one with the highest priority is used. */
  int priority();

  /**
   * Whether this transport knows addresses of that kind. By default those of networks, whatever
   * they are.
   */
  default boolean knows(SocketAddress address) {
    return true;
  }

  /** What a channel uses that was given no credentials; TLS by default. */
  default ChannelCredentials defaultCredentials() {
    return ChannelCredentials.tls();
  }

  /** What connections with these credentials protect from; all but plaintext protect. */
  default SecurityLevel securityLevel(ChannelCredentials credentials) {
    return credentials instanceof ChannelCredentials.Insecure
        ? SecurityLevel.NONE
        : SecurityLevel.PRIVACY_AND_INTEGRITY;
  }

  /**
   * The same transport with that clock, its timers, threads and randomness.
   *
   * @throws UnsupportedOperationException if it has those of its wires
   */
  default TransportProvider by(Scheduler scheduler) {
    throw new UnsupportedOperationException("the clock of this transport cannot be replaced");
  }

  /**
   * The same transport with those event loops. A transport that has no threads of its own stays as
   * it is.
   *
   * @throws IllegalStateException if the loops are closed
   */
  default TransportProvider on(EventLoops loops) {
    return this;
  }

  /**
   * Opens connections with these credentials.
   *
   * @param serverName the name that the server must prove to have, where the credentials ask for
   *     proof
   * @throws IllegalArgumentException if this transport cannot use the credentials
   */
  Connector connector(ChannelCredentials credentials, String serverName);

  /**
   * Accepts connections from now on.
   *
   * @param settings for each connection
   * @throws IOException if the address is in use, is not of this machine, or is of a kind that this
   *     transport does not know
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
    return ServiceLoader.load(TransportFactory.class, loader).stream()
        .map(factory -> factory.get().create())
        .flatMap(Optional::stream)
        .filter(provider -> provider.knows(address))
        .max(Comparator.comparingInt(TransportProvider::priority))
        .orElseThrow(() ->
            new IllegalStateException(
                "no transport found: add gannet or gannet-transport-netty to the class path"));
  }
}
