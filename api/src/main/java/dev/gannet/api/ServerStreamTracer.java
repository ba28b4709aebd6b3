package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Sees one call of a server. A server makes one for every request whose headers arrive ({@code
 * ServerBuilder.tracer}), also for those that no interceptor and no handler sees: of unknown
 * methods, of another content-type, malformed, with headers over the limit, refused. Not for a
 * stream beyond the limit of concurrent ones: HTTP/2 refuses it unread, and its client may send it
 * again.
 *
 * <p>What a handler answers is the end ({@link #onEnd}) once it is written: a call that its client
 * resets before that, or whose connection is lost, ends with {@code CANCELLED}. What the library
 * answers itself is the end at once.
 */
public interface ServerStreamTracer extends StreamTracer {
  /** A tracer that sees nothing: the call is not traced, and costs nothing more. */
  static ServerStreamTracer none() {
    return NoTracer.INSTANCE;
  }

  /** Makes a tracer for each call. Safe for all threads. */
  interface Factory {
    /** The tracer of a call whose headers have arrived; on the event loop of its connection. */
    ServerStreamTracer newTracer(Start call);
  }

  /** A request whose headers have arrived. Implemented by Gannet alone; methods may be added. */
  interface Start {
    /**
     * What was called, as the client wrote it: {@code /package.Service/Method} as a rule. Empty
     * where the headers are over the limit, for they were not kept.
     */
    String path();

    /** The method of that path; empty where there is none, or where the request is no call. */
    Optional<MethodDescriptor<?, ?>> method();

    /** {@code :authority} as the client sent it; empty where it sent none. */
    String authority();

    /** The request's metadata; empty where the request is no call. */
    Metadata headers();

    /** Where the connection comes from. */
    SocketAddress peer();

    /** The connection's TLS session; empty on a plaintext connection. */
    Optional<SSLSession> sslSession();
  }

  /**
   * The call has a handler, which runs later. Values that are {@linkplain CallContext#setValue set}
   * here are seen by interceptors, by the handler and by the calls that it makes: a span, say.
   */
  default void onCall(CallContext context) {}
}
