package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The call that a handler is serving: who called, until when, with which metadata.
 *
 * <p>{@link #current} finds it from inside a handler. Calls that are made or started while it is
 * current inherit its deadline, and are cancelled when it is; {@link #runDetached} is the way out,
 * for those that are started there. What it is asked for may be read from any thread; {@link
 * #responseHeaders} and {@link #responseTrailers} belong to the handler.
 */
public interface CallContext {
  /** The call whose handler runs on this thread, if one does. */
  static Optional<CallContext> current() {
    return CurrentCall.get();
  }

  /**
   * A context that a test makes up, so that a handler or an interceptor can be tested without a
   * server: {@code CallContext.forTest().deadline(deadline).build().run(task)}.
   */
  static TestCallContext.Builder forTest() {
    return new TestCallContext.Builder();
  }

  /** What is called. */
  MethodDescriptor<?, ?> method();

  /** What the client sent as {@code :authority}. */
  String authority();

  /** When the client stops waiting. */
  Optional<Deadline> deadline();

  /**
   * What came with the request: the object that interceptors were given, and what they have added
   * to it. A client may have sent any of its fields itself. Not to be changed by a handler.
   */
  Metadata requestHeaders();

  /**
   * What plain methods send back before their first response message; adding later has no effect.
   * Handlers and interceptors that have the {@link ServerCall} give it their headers instead.
   */
  Metadata responseHeaders();

  /**
   * What plain methods send back with the status, and what goes with the failure of any handler
   * that throws; where it throws trailers of its own, those fields whose names are not among them.
   */
  Metadata responseTrailers();

  /** The name of a value that interceptors leave for handlers; compared by identity. Immutable. */
  @SuppressWarnings("UnusedTypeParameter") // it binds value and setValue
  final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = name;
    }

    /** A new key; the name is for people. Make one and keep it. */
    public static <T> Key<T> of(String name) {
      return new Key<>(name);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * What was set under the key: a principal that an interceptor has found, say. Handlers see it,
   * and so do client interceptors of calls that are made while this is the current call.
   */
  <T> Optional<T> value(Key<T> key);

  /**
   * Sets what {@link #value} gives from here on, in place of what was there. An interceptor sets
   * values before it passes the call on; several threads must not do so at once.
   */
  <T> void setValue(Key<T> key, T value);

  /** Where the connection comes from. */
  SocketAddress peer();

  /** The connection's TLS session; empty on a plaintext connection. */
  Optional<SSLSession> sslSession();

  /** Whether nobody waits for the answer any more. */
  boolean isCancelled();

  /**
   * Has the action run once if the call is cancelled: by its client, its deadline or the loss of
   * its connection, whenever that comes before its answer has left; or because its handler throws.
   * Where the handler answers it is not, and what it has begun may go on. The action runs on the
   * thread that finds this out, which must not block, and with no current call; here and now if the
   * call is cancelled already, unless another thread is at its actions just then. Any thread may
   * call this.
   *
   * @return takes it back; an action that runs already is not waited for
   */
  Registration onCancelled(Runnable action);

  /**
   * Why nobody waits for the answer any more: {@code CANCELLED} where the client has taken the call
   * back or its connection is lost, {@code DEADLINE_EXCEEDED}, or what the server has ended it
   * with. Empty while the call {@linkplain #isCancelled is not cancelled}, and where its own
   * handler has failed, which knows why.
   */
  default Optional<Status> cancellation() {
    return Optional.empty();
  }

  /**
   * Whether the server takes no more calls and waits for those that are under way: a stream without
   * an end should come to one, or it is cut off when the server's patience is over.
   */
  default boolean isServerDraining() {
    return false;
  }

  /**
   * Has the action run once when the {@linkplain #isServerDraining server drains}, if the call is
   * under way then; here and now if it drains already. The action runs on the thread that shuts the
   * server down, must not block, and has no current call. Any thread may call this.
   *
   * @return takes it back
   */
  default Registration onServerDraining(Runnable action) {
    return () -> {};
  }

  /** An action that waits for something to happen to the call, until it is closed. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

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
   * Runs the task with no current call: calls that it starts have no deadline but their own, and go
   * on whatever becomes of the call that is served here.
   */
  static void runDetached(Runnable task) {
    CurrentCall.runDetached(task);
  }

  /** Whether this thread is inside {@link #runDetached}, and in no call's {@link #run} since. */
  static boolean isDetached() {
    return CurrentCall.isDetached();
  }

  /**
   * Runs the task with this call as the current one: for handlers that use threads of their own.
   */
  default void run(Runnable task) {
    CurrentCall.run(this, task);
  }

  /** As {@link #run}, for tasks that have a result or throw checked exceptions. */
  default <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
    return CurrentCall.call(this, task);
  }

  /** The task, to be run on any thread with this call as the current one. */
  default Runnable wrap(Runnable task) {
    return () -> run(task);
  }

  /** The task, to be called on any thread with this call as the current one. */
  default <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
    return () -> call(task);
  }

  /** An executor that runs each task on that one, with this call as the current one. */
  default Executor wrap(Executor executor) {
    return task -> executor.execute(wrap(task));
  }
}
