package dev.gannet.api;

import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A call that makes the call behind it only when it is started, and so can choose it by the
 * headers: the base class for calls of a {@link ClientInterceptor} whose options, method or channel
 * depend on them.
 *
 * <pre>{@code
 * return new DeferredClientCall<>() {
 *   @Override
 *   protected ClientCall<Q, R> newCall(Metadata headers) {
 *     boolean slow = headers.get(SLOW).isPresent();
 *     return next.newCall(method, slow ? patient : options);
 *   }
 * };
 * }</pre>
 *
 * <p>From the start on, all methods are forwarded to that call. Before it, the call is not ready
 * and has no peer; {@link #cancel}, {@link #request} and {@link #setMessageCompression} are
 * remembered. To see or change other events, override methods as those of a {@link
 * ForwardingClientCall}. For a call that may be made several times see {@link
 * RepeatableClientCall}, for one that is chosen by its request {@link SingleRequestClientCall}.
 *
 * <pre>
 *   not started ──start──► newCall ──► started
 *                             └─ throws ──► never starts
 * </pre>
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
@Preview(until = "0.3")
public abstract class DeferredClientCall<Q, R> implements ClientCall<Q, R> {
  /** What the caller has said when it cancelled the call. */
  record Cancellation(String message, @Nullable Throwable cause) {
    Status status() {
      return Status.CANCELLED.withDescription(message).withCause(cause);
    }

    void applyTo(ClientCall<?, ?> call) {
      if (cause == null) {
        call.cancel(message);
      } else {
        call.cancel(message, cause);
      }
    }
  }

  private final Optional<CallParent> whenCreated = CallParent.current();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicReference<@Nullable Cancellation> cancellation = new AtomicReference<>();
  private final AtomicInteger requested = new AtomicInteger();
  private @Nullable StubListener caller;
  private boolean isUncompressed;
  private volatile @Nullable ClientCall<Q, R> made;

  /** A call that is not started. */
  protected DeferredClientCall() {}

  /**
   * Makes the call, and does not start it: usually {@code next.newCall(…)}. Runs once, inside
   * {@link #start}, which throws what it throws; the call is not started then. It also runs for a
   * call that was cancelled before: the call that it returns then ends as soon as it is started.
   *
   * @param headers those with which the call is started afterwards; they may be changed
   */
  protected abstract ClientCall<Q, R> newCall(Metadata headers);

  /** The engine gets it as soon as its call exists. Before the start. */
  final void setCaller(StubListener caller) {
    this.caller = caller;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    claimStart(listener, headers);
    runIn(parentAtStart(), () -> begin(listener, headers));
  }

  /** Makes the call and starts it. */
  final void begin(Listener<? super R> listener, Metadata headers) {
    ClientCall<Q, R> call = make(headers);
    if (isUncompressed) {
      call.setMessageCompression(false);
    }
    // before it starts: its events may use this call; write-then-check with cancel and request:
    // made first, then what they have left here
    setMade(call);
    Cancellation early = cancellation.get();
    if (early != null) {
      early.applyTo(call);
    }
    call.start(listener, headers);
    requestEarly(call);
  }

  /**
   * The call starts.
   *
   * @throws IllegalStateException if it was started before
   */
  final void claimStart(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(headers, "headers");
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("the call was already started");
    }
  }

  /** What the calls behind it are made for, as if they had been created when this one was. */
  final Optional<CallParent> parentAtStart() {
    Optional<CallParent> here = CallParent.current();
    return here.isPresent() || CallContext.isDetached() ? here : whenCreated;
  }

  static void runIn(Optional<CallParent> parent, Runnable task) {
    if (CallParent.current().equals(parent)) {
      task.run();
    } else if (parent.isPresent()) {
      parent.get().run(task);
    } else {
      CallContext.runDetached(task);
    }
  }

  /** A new call, which knows the caller. */
  final ClientCall<Q, R> make(Metadata headers) {
    ClientCall<Q, R> call =
        Objects.requireNonNull(
            newCall(headers), () -> "newCall of " + getClass().getName() + " returned null");
    if (caller != null) {
      ForwardingClientCall.setCaller(call, caller);
    }
    return call;
  }

  /** All methods are forwarded to this call from now on; to none if there is none again. */
  final void setMade(@Nullable ClientCall<Q, R> call) {
    made = call;
  }

  /** The call to which methods are forwarded; null if there is none yet. */
  final @Nullable ClientCall<Q, R> made() {
    return made;
  }

  /** What the caller has said if it has cancelled this call while there was none behind it. */
  final @Nullable Cancellation earlyCancellation() {
    return cancellation.get();
  }

  /** The listener of the caller, if it belongs to a stub. */
  final @Nullable StubListener caller() {
    return caller;
  }

  @Override
  public void request(int messages) {
    checkRequested(messages);
    ClientCall<Q, R> call = made;
    if (call != null) {
      call.request(messages);
      return;
    }
    requested.accumulateAndGet(messages, DeferredClientCall::sum);
    call = made; // write-then-check with begin: requested first, then made
    if (call != null) {
      requestEarly(call);
    }
  }

  static void checkRequested(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException(
          "the number of requested messages must be positive: " + messages);
    }
  }

  private static int sum(int requested, int more) {
    return (int) Math.min(Integer.MAX_VALUE, (long) requested + more);
  }

  private void requestEarly(ClientCall<Q, R> call) {
    int early = requested.getAndSet(0);
    if (early > 0) {
      call.request(early);
    }
  }

  @Override
  public void sendMessage(Q message) {
    started().sendMessage(message);
  }

  @Override
  public void halfClose() {
    started().halfClose();
  }

  private ClientCall<Q, R> started() {
    ClientCall<Q, R> call = made;
    if (call == null) {
      throw new IllegalStateException("the call is not started");
    }
    return call;
  }

  @Override
  public void cancel(String message) {
    cancel(new Cancellation(message, null));
  }

  @Override
  public void cancel(String message, Throwable cause) {
    cancel(new Cancellation(message, cause));
  }

  void cancel(Cancellation wanted) {
    if (made == null) {
      cancellation.compareAndSet(null, wanted);
    }
    // write-then-check with begin: cancellation first, then made; cancelling twice is harmless
    ClientCall<Q, R> call = made;
    if (call != null) {
      wanted.applyTo(call);
    }
  }

  @Override
  public boolean isReady() {
    ClientCall<Q, R> call = made;
    return call != null && call.isReady();
  }

  @Override
  public boolean isResponseCompressed() {
    ClientCall<Q, R> call = made;
    return call != null && call.isResponseCompressed();
  }

  @Override
  public Optional<SocketAddress> peer() {
    ClientCall<Q, R> call = made;
    return call == null ? Optional.empty() : call.peer();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    ClientCall<Q, R> call = made;
    return call == null ? Optional.empty() : call.sslSession();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    ClientCall<Q, R> call = made;
    if (call == null) {
      isUncompressed = !enabled;
    } else {
      call.setMessageCompression(enabled);
    }
  }

  @Override
  public String toString() {
    ClientCall<Q, R> call = made;
    return getClass().getSimpleName() + "(" + (call == null ? "not started" : call) + ")";
  }
}
