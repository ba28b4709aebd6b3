package dev.gannet.api;

import dev.gannet.api.engine.ThrowableText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** {@link ServerInterceptor#around}. */
record ScopedEvents(Function<? super CallContext, ? extends AutoCloseable> opener)
    implements ServerInterceptor {
  private static final Logger LOG = System.getLogger(ScopedEvents.class.getName());

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Scopes scopes = new Scopes(call, opener);
    AutoCloseable scope = scopes.open();
    ServerCall.Listener<Q> listener;
    try {
      listener = next.startCall(call, headers);
    } catch (Throwable e) {
      scopes.close(scope, e);
      throw e;
    }
    scopes.close(scope).ifPresent(scopes::endAtStart);
    return new Events<>(listener, scopes);
  }

  private static final class Events<Q> extends ForwardingServerCallListener<Q> {
    private final Scopes scopes;

    Events(ServerCall.Listener<Q> delegate, Scopes scopes) {
      super(delegate);
      this.scopes = scopes;
    }

    @Override
    public void onReady() {
      scopes.around(super::onReady);
    }

    @Override
    public void onMessage(Q message) {
      scopes.around(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      scopes.around(super::onHalfClose);
    }

    @Override
    public void onCancel() {
      scopes.aroundEnd(super::onCancel);
    }

    @Override
    public void onComplete() {
      scopes.aroundEnd(super::onComplete);
    }
  }

  /**
   * The scopes of one call. An event that is delivered inside another one, on the same thread, is
   * in the scope of that. One thread delivers events at a time, but one that has handed the rest
   * over may still be inside its event.
   */
  private static final class Scopes {
    private final ServerCall<?, ?> call;
    private final Function<? super CallContext, ? extends AutoCloseable> opener;

    /** The threads on which a scope is open. */
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet(2);

    private volatile boolean failed;

    /** The handler has begun, and only gets the end. */
    private volatile boolean isOver;

    Scopes(ServerCall<?, ?> call, Function<? super CallContext, ? extends AutoCloseable> opener) {
      this.call = call;
      this.opener = opener;
    }

    void endAtStart(StatusException why) {
      isOver = true;
      call.fail(why);
    }

    void around(Runnable event) {
      if (isOver) {
        return;
      }
      if (isInside()) {
        event.run();
      } else {
        runIn(open(), event);
      }
    }

    /** Like {@link #around}, but the handler gets the end even if there is no scope. */
    void aroundEnd(Runnable end) {
      if (isInside()) {
        end.run();
        return;
      }
      AutoCloseable scope;
      try {
        scope = open();
      } catch (StatusException e) {
        end.run();
        throw e;
      }
      runIn(scope, end);
    }

    private boolean isInside() {
      return inside.contains(Thread.currentThread());
    }

    private void runIn(AutoCloseable scope, Runnable event) {
      try {
        event.run();
      } catch (Throwable e) {
        close(scope, e);
        throw e;
      }
      Optional<StatusException> failure = close(scope);
      if (failure.isPresent()) {
        throw failure.get();
      }
    }

    /**
     * Opens a scope on this thread.
     *
     * @throws StatusException if it cannot be opened
     */
    AutoCloseable open() {
      AutoCloseable opened;
      try {
        opened = Objects.requireNonNull(opener.apply(call.context()), "the opener returned null");
      } catch (Throwable e) {
        throw failure("opened", e);
      }
      inside.add(Thread.currentThread());
      return opened;
    }

    /** Closes a scope on this thread; returns why the call has to end if that fails. */
    Optional<StatusException> close(AutoCloseable scope) {
      inside.remove(Thread.currentThread());
      try {
        scope.close();
        return Optional.empty();
      } catch (Throwable e) {
        return Optional.of(failure("closed", e));
      }
    }

    /** Closes the scope of an event that has thrown, and ends the call by itself. */
    void close(AutoCloseable scope, Throwable thrown) {
      close(scope).filter(it -> !it.equals(thrown)).ifPresent(thrown::addSuppressed);
    }

    /** The exception that ends the call; one with a status is meant to be shown to the client. */
    private StatusException failure(String what, Throwable thrown) {
      if (thrown instanceof StatusException own && own.failedCall().isEmpty()) {
        return own;
      }
      String text = "a scope around the events of the call (" + opener + ") cannot be " + what;
      StatusException failure =
          Status.INTERNAL
              .withDescription("a scope around the events of the call cannot be " + what)
              .withCause(thrown)
              .asException();
      if (!failed) { // once for each call
        failed = true;
        log(text + ": " + ThrowableText.of(thrown), thrown, failure);
      }
      return failure;
    }

    private static void log(String text, Throwable thrown, StatusException failure) {
      try {
        LOG.log(Level.WARNING, text, thrown);
      } catch (RuntimeException | Error e) { // the call must end all the same
        failure.addSuppressed(e);
      }
    }
  }
}
