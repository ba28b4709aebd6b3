package dev.gannet.api;

import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The call that a handler is serving: its caller, deadline and metadata.
 *
 * <p>{@link #current} returns it inside a handler. Calls that are created or started while it is
 * current inherit its deadline, and are cancelled when it is cancelled. Calls that are started in
 * {@link #runDetached} do not; those of a {@link CallScope} share a shorter deadline, or values.
 * Only implemented by Gannet; methods may be added.
 *
 * <p>Any thread may read the context, {@linkplain #run make it current}, and register actions. What
 * shapes the response belongs to the handler and the interceptors before it, one thread at a time:
 * {@link #responseHeaders} and whether there {@linkplain #hasResponseHeaders are any}, {@link
 * #responseTrailers}, {@link #setValue}, {@link #setCompression} and {@link
 * #setMessageCompression}.
 */
public interface CallContext extends CallParent {
  /**
   * The call whose handler runs on this thread; empty if there is none. Inside a {@link CallScope}
   * it is the call in whose handler the scope was opened.
   */
  static Optional<CallContext> current() {
    return CurrentCall.get();
  }

  /**
   * Creates a context for a test, so that a handler or an interceptor can be tested without a
   * server: {@code CallContext.forTest().deadline(deadline).build().run(task)}.
   */
  static TestCallContext.Builder forTest() {
    return new TestCallContext.Builder();
  }

  /** The called method. */
  MethodDescriptor<?, ?> method();

  /** The {@code :authority} that the client sent. */
  String authority();

  /**
   * The time until which the call is served: the client's deadline, or the limit of the server
   * ({@code maxCallDuration} and {@code defaultCallDuration} of its builder), whichever is earlier.
   * Empty if neither is set.
   */
  @Override
  Optional<Deadline> deadline();

  /**
   * The metadata of the request: the same object that interceptors get, including fields that they
   * added. Any of its fields may have been sent by a client. Handlers must not change it.
   */
  Metadata requestHeaders();

  /**
   * The headers that blocking methods send before their first response message; fields that are
   * added later have no effect. Handlers and interceptors that have the {@link ServerCall} pass
   * their headers to it instead.
   */
  Metadata responseHeaders();

  /**
   * Whether {@link #responseHeaders} has fields. Asking does not create the object, which most
   * calls do not need.
   */
  default boolean hasResponseHeaders() {
    return !responseHeaders().isEmpty();
  }

  /**
   * The trailers that blocking methods send with the status. They are also sent with the failure of
   * any handler that throws; if the exception has trailers of its own, those have priority for
   * their names.
   */
  Metadata responseTrailers();

  /** The name of a value that interceptors pass to handlers; compared by identity. Immutable. */
  @SuppressWarnings("UnusedTypeParameter") // it binds value and setValue
  final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = name;
    }

    /** A new key; the name is only used in texts. Create a key once and keep it. */
    public static <T> Key<T> of(String name) {
      return new Key<>(Objects.requireNonNull(name, "name"));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * The value that was set for the key, such as the principal that an interceptor has
   * authenticated. It is visible to handlers, and by {@link CallParent#current} to client
   * interceptors of calls that are made while this is the current call.
   */
  @Override
  <T> Optional<T> value(Key<T> key);

  /**
   * Sets the value that {@link #value} returns from now on, and replaces an earlier one. An
   * interceptor sets values before it passes the call on; several threads must not do so at the
   * same time.
   */
  <T> void setValue(Key<T> key, T value);

  /** The address of the client, or of a proxy before it. */
  SocketAddress peer();

  /** The address of this side, at which the client has reached the server. */
  SocketAddress localAddress();

  /** The connection's TLS session; empty on a plaintext connection and in process. */
  Optional<SSLSession> sslSession();

  /** What the connection protects the call from. */
  SecurityLevel securityLevel();

  /**
   * The certificates that the client has proven to own, its own first; empty if it sent none, and
   * on a connection without TLS.
   */
  default List<Certificate> peerCertificates() {
    try {
      return sslSession().isPresent()
          ? List.of(sslSession().get().getPeerCertificates())
          : List.of();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** Whether the call was cancelled, so that the client does not wait for the response any more. */
  @Override
  boolean isCancelled();

  /**
   * Runs the action once if the call is cancelled: if its client, its deadline, {@link
   * ServerCall#end} or the loss of its connection ends it before the response was written, or if
   * its handler throws. The action is not run if the handler answers; things that the handler has
   * started may then continue. The action runs on the thread that detects the cancellation, without
   * a current call, and must not block. If the call is already cancelled, the action runs now on
   * this thread, unless another thread is running the actions at the moment. Any thread may call
   * this method.
   *
   * @return the registration; {@link Registration#close} removes the action, and does not wait for
   *     an action that is already running
   */
  @Override
  Registration onCancelled(Runnable action);

  /**
   * Why the call was cancelled: {@code CANCELLED} if the client has cancelled it or its connection
   * is lost, {@code DEADLINE_EXCEEDED}, or the status with which the server has ended it. Empty
   * while the call {@linkplain #isCancelled is not cancelled}, and if its own handler has failed.
   */
  @Override
  default Optional<Status> cancellation() {
    return Optional.empty();
  }

  /**
   * Whether the server accepts no more calls and waits for the running ones. Handlers of endless
   * streams should end them now; otherwise the server cancels them when its grace period is over.
   */
  default boolean isServerDraining() {
    return false;
  }

  /**
   * Runs the action once when the {@linkplain #isServerDraining server drains}, if the call is
   * still running then. If the server is already draining, the action runs at once on this thread.
   * The action runs on the thread that shuts the server down, or, after a {@code shutdownDelay}, on
   * an event loop. It must not block, and has no current call. Any thread may call this.
   *
   * @return the registration; {@link Registration#close} removes the action
   */
  default Registration onServerDraining(Runnable action) {
    return () -> {};
  }

  /** Whether the last delivered request message was compressed. */
  boolean isRequestCompressed();

  /**
   * Compresses responses with this encoding if the client accepts it; must be called before the
   * first response.
   */
  void setCompression(String encoding);

  /** Whether response messages from now on are compressed, if the call uses compression at all. */
  void setMessageCompression(boolean enabled);

  /**
   * Runs the task without a current call and outside of every {@link CallScope}: calls that it
   * starts have only their own deadline, and continue when the call that is served here ends.
   */
  static void runDetached(Runnable task) {
    CurrentCall.runDetached(task);
  }

  /** Like {@link #runDetached}, for tasks that have a result or throw checked exceptions. */
  static <T extends @Nullable Object> T callDetached(Callable<T> task) throws Exception {
    return CurrentCall.callDetached(task);
  }

  /**
   * Whether this thread is inside {@link #runDetached} or {@link #callDetached}, and not in a
   * {@link #run} or {@link #call} inside of that.
   */
  static boolean isDetached() {
    return CurrentCall.isDetached();
  }
}
