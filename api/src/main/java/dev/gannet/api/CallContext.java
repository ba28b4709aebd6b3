package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The call that a handler is serving: who called, until when, with which metadata.
 *
 * <p>{@link #current} finds it from inside a handler. Calls made while it is current inherit its
 * deadline. What it is asked for may be read from any thread; {@link #responseHeaders} and {@link
 * #responseTrailers} belong to the handler.
 */
public interface CallContext {
  /** The call whose handler runs on this thread, if one does. */
  static Optional<CallContext> current() {
    return CurrentCall.get();
  }

  MethodDescriptor<?, ?> method();

  /** What the client sent as {@code :authority}. */
  String authority();

  /** When the client stops waiting. */
  Optional<Deadline> deadline();

  /** What came with the request; not to be changed. */
  Metadata requestHeaders();

  /** What goes back with the first response message; adding later has no effect. */
  Metadata responseHeaders();

  /** What goes back with the status. */
  Metadata responseTrailers();

  /** Where the connection comes from. */
  SocketAddress peer();

  /** The connection's TLS session; empty on a plaintext connection. */
  Optional<SSLSession> sslSession();

  /** Whether nobody waits for the answer any more. */
  boolean isCancelled();

  /** Whether the request message that was delivered last came compressed. */
  boolean isRequestCompressed();

  /**
   * Compresses responses with that encoding if the client accepts it; before the first response
   * only.
   */
  void setCompression(String encoding);

  /**
   * Whether response messages from here on are compressed, where the call has a compression at all.
   */
  void setMessageCompression(boolean enabled);

  /**
   * Runs the task with this call as the current one: for handlers that use threads of their own.
   */
  default void run(Runnable task) {
    CurrentCall.run(this, task);
  }
}
