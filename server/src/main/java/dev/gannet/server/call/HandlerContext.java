package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.SecurityLevel;
import dev.gannet.protocol.EmptyMetadata;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call: its caller, deadline and metadata, and values that interceptors have set.
 * It is the superclass of {@link HandlerCall}, so that each call needs only one object for both.
 *
 * <p>May be read by any thread. Response metadata, compression and values are written by the
 * handler and the interceptors before it.
 */
abstract sealed class HandlerContext<Q, R> implements CallContext permits HandlerCall {
  private static final AtomicReferenceFieldUpdater<HandlerContext<?, ?>, @Nullable CallExtras>
      EXTRAS = updater();

  final IncomingCall<Q, R> call;
  private final Metadata requestHeaders;
  private volatile @Nullable CallExtras extras;

  HandlerContext(IncomingCall<Q, R> call) {
    this.call = call;
    this.requestHeaders = call.stream().headers();
  }

  /** Null until {@link #extras} was called. */
  final @Nullable CallExtras madeExtras() {
    return extras;
  }

  final CallExtras extras() {
    if (extras == null) {
      EXTRAS.compareAndSet(this, null, new CallExtras());
    }
    return Objects.requireNonNull(extras);
  }

  @Override
  public final String authority() {
    return call.stream().authority();
  }

  @Override
  public final Optional<Deadline> deadline() {
    return call.stream().deadline();
  }

  @Override
  public final SocketAddress peer() {
    return call.stream().connection().remoteAddress();
  }

  @Override
  public final SocketAddress localAddress() {
    return call.stream().connection().localAddress();
  }

  @Override
  public final Optional<SSLSession> sslSession() {
    return call.stream().connection().tls();
  }

  @Override
  public final SecurityLevel securityLevel() {
    return call.stream().connection().securityLevel();
  }

  @Override
  public final Metadata requestHeaders() {
    return requestHeaders;
  }

  @Override
  public final Metadata responseHeaders() {
    return extras().responseHeaders();
  }

  @Override
  public final boolean hasResponseHeaders() {
    CallExtras made = extras;
    return made != null && !made.addedResponseHeaders().isEmpty();
  }

  @Override
  public final Metadata responseTrailers() {
    return extras().responseTrailers();
  }

  /** The trailers, without creating an object that most calls do not need; not to be changed. */
  final Metadata addedResponseTrailers() {
    CallExtras made = extras;
    return made == null ? EmptyMetadata.SHARED : made.addedResponseTrailers();
  }

  /** The trailers of the exception, and the trailers of the handler with other names. */
  final Metadata withResponseTrailers(Metadata thrown) {
    Metadata left = addedResponseTrailers();
    if (left.isEmpty()) {
      return thrown;
    }
    Metadata all = thrown.copy();
    all.mergeAbsent(left);
    return all;
  }

  @Override
  public final <T> Optional<T> value(Key<T> key) {
    CallExtras made = extras;
    return made == null ? Optional.empty() : ContextValue.find(made.values(), key);
  }

  @Override
  public final <T> void setValue(Key<T> key, T value) {
    CallExtras made = extras();
    made.setValues(ContextValue.with(made.values(), key, value));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<HandlerContext<?, ?>, @Nullable CallExtras> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(HandlerContext.class, CallExtras.class, "extras");
  }
}
