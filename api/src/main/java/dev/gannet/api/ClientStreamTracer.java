package dev.gannet.api;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Sees one attempt of a client's call. Most calls have one attempt; a call that its server has not
 * processed has another one on another stream (gRFC A6).
 *
 * <p>An attempt that never gets a connection has a single event: {@link #onEnd}, on the thread that
 * ends it. For applications to implement; new methods will have a default.
 */
public interface ClientStreamTracer extends StreamTracer {
  /** A tracer that sees nothing: the attempt is not traced. */
  static ClientStreamTracer none() {
    return NoTracer.INSTANCE;
  }

  /** An attempt that begins. Only implemented by Gannet; methods may be added. */
  interface Start {
    /**
     * The number of earlier attempts of the call, without transparent retries; the value of {@code
     * grpc-previous-rpc-attempts}.
     */
    int previousAttempts();

    /** Whether this attempt follows one that the server has not processed. */
    boolean isTransparentRetry();

    /**
     * The headers that this attempt will send, without those of {@link CallCredentials}, which are
     * requested later and not shown to tracers. The object belongs to this attempt: until the
     * tracer is returned, fields may be added and set, for example to propagate a trace.
     */
    Metadata headers();
  }

  /**
   * The stream of an attempt that has its connection. Immutable. Only implemented by Gannet;
   * methods may be added.
   */
  interface Opened {
    /** The address of the server, or of a proxy before it. */
    SocketAddress peer();

    /** The connection's TLS session; empty on a plaintext connection and in process. */
    Optional<SSLSession> sslSession();

    /**
     * The {@code :authority} that this attempt sends: that of the call's options, or else that of
     * the endpoint, or else the channel's. A load-balancing policy may replace the last two.
     */
    String authority();

    /**
     * How long this attempt has waited for the target's addresses. It is zero if they were known,
     * as for nearly all calls; so are the other two times.
     */
    Duration inResolver();

    /**
     * How long it has waited for a connection, for the choice of the load-balancing policy, or for
     * a free stream, in addition to {@link #inResolver}.
     */
    Duration inQueue();

    /** How long it has waited for its {@link CallCredentials}, which are asked after that. */
    Duration inCredentials();
  }

  /** The attempt has a stream on a connection; comes before {@link #onHeadersSent}. */
  default void onStreamOpened(Opened stream) {}

  /** The response headers arrived; not called if the server sent only trailers. */
  default void onHeadersReceived(Metadata headers) {}
}
