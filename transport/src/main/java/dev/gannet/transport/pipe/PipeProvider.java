package dev.gannet.transport.pipe;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Comparator;
import java.util.Optional;
import java.util.ServiceLoader;

/** Someone who opens and accepts pipes. Found by {@link ServiceLoader}; safe for all threads. */
public interface PipeProvider extends Scheduler {
  /** What comes of an attempt to connect; exactly one is called. */
  interface Connecting {
    /** The pipe is open, TLS and ALPN included. Says who drives it. */
    PipeListener onOpen(Pipe pipe);

    /** It did not open; the words are for a status. */
    void onFailed(String why);

    /** What a peer may do; of it, TLS has the time for the handshake and the rates of records. */
    default ConnectionLimits connectionLimits() {
      return ConnectionLimits.OF_CLIENTS;
    }

    /** How the pipe's socket is set up, where it has one. */
    default SocketOptions socketOptions() {
      return SocketOptions.DEFAULT;
    }
  }

  /** Who is let in at an address; on the loops of the connections. */
  interface Accepting {
    /**
     * Whether a new connection may stay. Asked before it costs more than its socket; TLS comes
     * later.
     */
    default boolean admits(SocketAddress remote) {
      return true;
    }

    /** What a peer may do; of it, TLS has the time for the handshake and the rates of records. */
    default ConnectionLimits connectionLimits() {
      return ConnectionLimits.OF_SERVERS;
    }

    /** How the listening socket and those of its pipes are set up, where there are any. */
    default SocketOptions socketOptions() {
      return SocketOptions.DEFAULT;
    }

    /** The pipe is open, TLS and ALPN included. Says who drives it. */
    PipeListener onOpen(Pipe pipe);

    /** A connection that was admitted did not open; the words are for a log. */
    default void onFailed(SocketAddress remote, String why) {}

    /** A connection that was admitted is gone, whether it was ever open or not. */
    default void onGone(SocketAddress remote) {}

    /** A connection could not be accepted, for want of file descriptors or memory. */
    default void onNotAccepted() {}

    /**
     * Nothing is accepted at the address any more, though nobody has closed the {@link Listening}:
     * its event loop has ended, and no other could take its place. Told once, on any thread.
     */
    default void onStopped() {}
  }

  /** Opens pipes with credentials that it knows. Safe for all threads. */
  @FunctionalInterface
  interface Connector {
    /** As {@link PipeProvider#connect}. */
    Cancellable connect(SocketAddress address, String serverName, Connecting then);

    /** Opens no more pipes: what it watches over is let go. Open ones stay. May come again. */
    default void close() {}
  }

  /** Higher is asked first. */
  int priority();

  /**
   * The same pipes on those event loops; pipes without threads of their own stay as they are.
   *
   * @throws IllegalStateException if the loops are closed
   */
  default PipeProvider on(EventLoops loops) {
    return this;
  }

  /**
   * Opens pipes with these credentials, which are understood here and now.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  default Connector connector(ChannelCredentials credentials) {
    return (address, serverName, then) -> connect(address, serverName, credentials, then);
  }

  /**
   * Opens a pipe, in the background; what comes of it may be told before this returns.
   *
   * @param serverName what the server's certificate must name
   * @return takes the attempt back: a pipe that is not open yet will not be, and {@code onFailed}
   *     tells when that is sure; any thread
   * @throws IllegalArgumentException if the credentials cannot be understood
   */
  Cancellable connect(
      SocketAddress address, String serverName, ChannelCredentials credentials, Connecting then);

  /**
   * Accepts pipes from now on.
   *
   * @param then who is let in, and who drives a new pipe
   * @throws IOException if the address is in use or not of this machine
   * @throws IllegalArgumentException if the credentials cannot be understood
   */
  Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
      throws IOException;

  /** The provider with the highest priority on this class path or module path, if there is any. */
  static Optional<PipeProvider> find() {
    return ServiceLoader.load(PipeProvider.class, PipeProvider.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .max(Comparator.comparingInt(PipeProvider::priority));
  }
}
