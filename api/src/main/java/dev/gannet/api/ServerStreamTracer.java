package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Sees one call of a server. A server creates one for every request whose headers arrive ({@code
 * ServerBuilder.addTracer}), including those that no interceptor and no handler sees: with unknown
 * methods, another content-type, malformed or too large headers, refused ones, and streams beyond
 * the limit of concurrent streams.
 *
 * <p>A response of a handler is reported as the end ({@link #onEnd}) when it is written: if the
 * client resets the call before that, or the connection is lost, the call ends with {@code
 * CANCELLED}. A response of the library is reported at once.
 *
 * <p>A tracer's methods are called one at a time, on the event loop of the call's connection; in
 * process, on the threads of client and server that cause the events. What one of them writes to a
 * field, the next one reads, so a tracer needs no lock. Handlers run on other threads meanwhile.
 * For applications to implement; new methods will have a default.
 */
public interface ServerStreamTracer extends StreamTracer {
  /** A tracer that sees nothing: the call is not traced, at no cost. */
  static ServerStreamTracer none() {
    return NoTracer.INSTANCE;
  }

  /** Creates a tracer for each call. Safe for all threads. */
  @FunctionalInterface
  interface Factory {
    /**
     * The tracer of a call whose headers have arrived; called on the event loop of its connection.
     */
    ServerStreamTracer newTracer(Start call);
  }

  /** A request whose headers have arrived. Only implemented by Gannet; methods may be added. */
  interface Start {
    /**
     * The path that the client sent, usually {@code /package.Service/Method}. Empty if the headers
     * are over the limit, because they are not stored.
     */
    String path();

    /** The method for that path; empty if there is none, or if the request is not a call. */
    Optional<MethodDescriptor<?, ?>> method();

    /** The {@code :authority} that the client sent; empty if it sent none. */
    String authority();

    /** The request's metadata; empty if the request is not a call. */
    Metadata headers();

    /** The address of the client. */
    SocketAddress peer();

    /** The address of this side, at which the client has reached the server. */
    SocketAddress localAddress();

    /** The connection's TLS session; empty on a plaintext connection. */
    Optional<SSLSession> sslSession();
  }

  /**
   * The call has a handler, which runs later. Called at most once, before all other methods, and
   * before all interceptors. Values that are {@linkplain CallContext#setValue set} here, such as a
   * span, are visible to interceptors, to the handler and to the calls that it makes. Later, only
   * they may set values.
   *
   * <p>The context may be kept until {@link #onEnd} has returned: each of the tracer's methods may
   * read it, and {@code onEnd} finds the {@linkplain CallContext#value values} that interceptors
   * have set, such as the authenticated user. A value is missing if the call ended before its
   * interceptor had set it. Response headers and trailers belong to the handler: read those that
   * the tracer is given.
   */
  default void onCall(CallContext context) {}
}
