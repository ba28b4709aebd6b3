package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link ServerInterceptor#translating}. */
record TranslatedExceptions(Function<? super Throwable, Optional<StatusException>> translation)
    implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Call<Q, R> translated = new Call<>(call, translation);
    ServerCall.Listener<Q> listener;
    try {
      listener = next.startCall(translated, headers);
    } catch (Throwable e) {
      throw translated.toThrow(e);
    }
    return new Events<>(listener, translated);
  }

  /** An exception, and what it means. */
  private record Translation(Throwable thrown, Throwable translated) {}

  /**
   * Translates what is passed to {@link #fail}, or thrown by an event. The same exception may come
   * here several times, for example thrown by an event and as the reason to close the call: it is
   * translated once.
   */
  private static final class Call<Q, R> extends ForwardingServerCall<Q, R> {
    private final Function<? super Throwable, Optional<StatusException>> translation;

    private volatile @Nullable Translation last;

    Call(
        ServerCall<Q, R> delegate,
        Function<? super Throwable, Optional<StatusException>> translation) {
      super(delegate);
      this.translation = translation;
    }

    /**
     * The status may be that of an exception that is not translated yet: an interceptor's call that
     * extends nothing closes itself before it passes the exception on.
     */
    @Override
    public void close(Status status, Metadata trailers) {
      Optional<Throwable> thrown = status.replaced();
      if (thrown.isPresent()
          && translated(thrown.get()) instanceof StatusException own
          && own.isOwn()) {
        Metadata all = own.trailers().copy();
        all.mergeAbsent(trailers);
        super.close(own.status(), all);
      } else {
        super.close(status, trailers);
      }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // exceptions may define equality
    Throwable translated(Throwable thrown) {
      if (thrown instanceof StatusException status && status.isOwn()) {
        return thrown;
      }
      Translation known = last;
      if (known != null && known.thrown() == thrown) {
        return known.translated();
      }
      Throwable translated = translate(thrown);
      last = new Translation(thrown, translated);
      return translated;
    }

    private Throwable translate(Throwable thrown) {
      try {
        Optional<StatusException> result =
            Objects.requireNonNull(
                translation.apply(thrown), "the translation of exceptions returned null");
        return result.isPresent() ? asOwn(result.get(), thrown) : thrown;
      } catch (Throwable second) { // the log shows both
        if (!second.equals(thrown)) { // an exception cannot suppress itself
          thrown.addSuppressed(second);
        }
        return thrown;
      }
    }

    /** Interceptors further outside find the reason in the status. */
    private static StatusException asOwn(StatusException translated, Throwable reason) {
      StatusException own = translated.isOwn() ? translated : translated.passOn();
      return own.status().cause().isPresent()
          ? own
          : new StatusException(own.status().withCause(reason), own.trailers());
    }

    RuntimeException toThrow(Throwable thrown) {
      throw Call.<RuntimeException>unchecked(translated(thrown));
    }

    // The cast is erased, so checked exceptions pass.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  private static final class Events<Q> extends ForwardingServerCallListener<Q> {
    private final Call<Q, ?> call;

    Events(ServerCall.Listener<Q> delegate, Call<Q, ?> call) {
      super(delegate);
      this.call = call;
    }

    @Override
    public void onReady() {
      try {
        super.onReady();
      } catch (Throwable e) {
        throw call.toThrow(e);
      }
    }

    @Override
    public void onMessage(Q message) {
      try {
        super.onMessage(message);
      } catch (Throwable e) {
        throw call.toThrow(e);
      }
    }

    @Override
    public void onHalfClose() {
      try {
        super.onHalfClose();
      } catch (Throwable e) {
        throw call.toThrow(e);
      }
    }

    @Override
    public void onCancel() {
      try {
        super.onCancel();
      } catch (Throwable e) {
        throw call.toThrow(e);
      }
    }

    @Override
    public void onComplete() {
      try {
        super.onComplete();
      } catch (Throwable e) {
        throw call.toThrow(e);
      }
    }
  }
}
