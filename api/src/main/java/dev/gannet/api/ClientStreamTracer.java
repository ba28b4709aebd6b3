package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Sees one attempt of a client's call. Most calls have one attempt; a call that its server has not
 * processed has another on another stream (gRFC A6).
 *
 * <p>An attempt that never gets a connection has one event: {@link #onEnd}, on the thread that ends
 * it.
 */
public interface ClientStreamTracer extends StreamTracer {
  /** A tracer that sees nothing: the attempt is not traced. */
  static ClientStreamTracer none() {
    return NoTracer.INSTANCE;
  }

  /** An attempt that begins. Implemented by Gannet alone; methods may be added. */
  interface Start {
    /**
     * How many attempts of the call came before this one, without transparent retries; what {@code
     * grpc-previous-rpc-attempts} says.
     */
    int previousAttempts();

    /** Whether this attempt follows one that the server has not processed. */
    boolean isTransparentRetry();

    /**
     * What this attempt will send. The object is this attempt's own: until the tracer is returned,
     * fields may be added and set, to propagate a trace for example.
     */
    Metadata headers();
  }

  /** The attempt has a stream on that connection; comes before {@link #onHeadersSent}. */
  default void onStreamOpened(SocketAddress peer, Optional<SSLSession> sslSession) {}

  /** The response headers arrived; not called where the server answered with trailers alone. */
  default void onHeadersReceived(Metadata headers) {}
}
