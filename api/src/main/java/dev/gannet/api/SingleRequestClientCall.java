package dev.gannet.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call with a single request that is chosen by its request: the base class for calls of a {@link
 * ClientInterceptor} that answers some calls itself, such as a cache, a fallback or a circuit
 * breaker.
 *
 * <pre>{@code
 * if (!method.type().clientSendsOneMessage()) {
 *   return next.newCall(method, options);
 * }
 * return new SingleRequestClientCall<>(method, options, next) {
 *   @Override
 *   protected ClientCall<Q, R> callFor(Q request, Metadata headers) {
 *     Optional<R> known = cache.find(method, request);
 *     return known.isPresent() ? answered(known.get()) : next.newCall(method, options);
 *   }
 * };
 * }</pre>
 *
 * <p>{@link #callFor} runs when the caller sends its request, with the headers with which it has
 * started the call. Before that, the call is not ready and has no peer; what the caller has
 * requested is remembered, and a cancelled call ends at once, without {@code callFor}. A deadline
 * that counts from the start of the call ({@link CallOptions#deadlineAfter}) counts from its
 * request.
 *
 * <p>Calls that are {@link #answered} or {@link #failed} here have no server: neither the rest of
 * the channel nor its tracers see them, they are not counted, and neither a deadline nor the end of
 * their {@link CallParent} ends them. Everything else is as with a response of a server: the
 * listener gets it on the call's executor, one event at a time and as many messages as were
 * requested; a caller that cancels before it has all of them gets {@link Status.Code#CANCELLED}.
 *
 * <pre>
 *   NEW ──start──► STARTED ──request──► CHOSEN: callFor, or, if that throws, a call that fails
 *                     └──────cancel───► CHOSEN: a call that fails with CANCELLED
 * </pre>
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
@Preview(until = "0.3")
public abstract class SingleRequestClientCall<Q, R> extends DeferredClientCall<Q, R> {
  private enum Step {
    NEW,
    STARTED,
    /** One thread makes the call to which methods are forwarded, or has made it. */
    CHOSEN
  }

  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final Channel next;
  private final AtomicReference<Step> step = new AtomicReference<>(Step.NEW);

  // Set by the thread that starts the call, before it is STARTED.
  private @Nullable Listener<? super R> listener;
  private Metadata headers = new Metadata();
  private Optional<CallParent> parent = Optional.empty();

  /** Belongs to the caller. */
  private boolean isSent;

  // Set by the thread that has chosen: what the call is made for, until that is sent, or why it
  // fails.
  private @Nullable Q request;
  private @Nullable StatusException failure;

  /**
   * A call that is not started.
   *
   * @param method the called method
   * @param options those of the call, which may name its executor
   * @param next the channel that the interceptor was given; its executor is that of calls without
   *     one
   * @throws IllegalArgumentException if the method has a stream of requests
   */
  protected SingleRequestClientCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    this.method = Objects.requireNonNull(method, "method");
    this.options = Objects.requireNonNull(options, "options");
    this.next = Objects.requireNonNull(next, "next");
    if (!method.type().clientSendsOneMessage()) {
      throw new IllegalArgumentException(method.fullMethodName() + " has a stream of requests");
    }
  }

  /**
   * Makes the call for this request, and does not start it: usually {@code next.newCall(…)}, or
   * {@link #answered} or {@link #failed}. Then it is started, and is sent the request. Runs once,
   * on the thread that sends the request, and must not block where that thread must not. Does not
   * run for a call that was cancelled before.
   *
   * <p>An exception refuses the call: it ends with the status and the trailers of a {@link
   * StatusException}, or else with {@link Status.Code#INTERNAL}, and {@link #sendMessage} throws
   * the exception, as blocking clients do. It is the same if the call that this returns cannot be
   * started.
   *
   * @param headers those with which the call is started afterwards; they may be changed
   */
  protected abstract ClientCall<Q, R> callFor(Q request, Metadata headers);

  /** A call that is answered with this message and {@code OK}, without metadata. */
  protected final ClientCall<Q, R> answered(R response) {
    return answered(
        new Metadata(), List.of(Objects.requireNonNull(response, "response")), new Metadata());
  }

  /**
   * A call that is answered with these messages and {@code OK}.
   *
   * @param headers those of the response; copied
   * @param responses the messages; must not be modified afterwards, if they can be
   * @param trailers those of the response; copied
   * @throws IllegalArgumentException if the method has a single response, and these are not one
   */
  protected final ClientCall<Q, R> answered(
      Metadata headers, List<? extends R> responses, Metadata trailers) {
    List<R> messages = List.copyOf(responses);
    if (method.type().serverSendsOneMessage() && messages.size() != 1) {
      throw new IllegalArgumentException(
          method.fullMethodName() + " has a single response, not " + messages.size());
    }
    return new AnsweredCall<>(
        new AnsweredCall.Answer<>(headers.copy(), messages, Status.OK, trailers.copy()),
        options.executor().orElseGet(next::executor));
  }

  /**
   * A call that fails with this status.
   *
   * @param trailers those of the failure; copied
   * @throws IllegalArgumentException if the status is {@code OK}
   */
  protected final ClientCall<Q, R> failed(Status status, Metadata trailers) {
    if (status.isOk()) {
      throw new IllegalArgumentException("a call cannot fail with OK");
    }
    return new AnsweredCall<>(
        new AnsweredCall.Answer<>(null, List.of(), status, trailers.copy()),
        options.executor().orElseGet(next::executor));
  }

  /** Makes the call that was chosen: {@link #callFor}, or one that fails. */
  @Override
  protected final ClientCall<Q, R> newCall(Metadata headers) {
    StatusException why = failure;
    if (why != null) {
      return failed(why.status(), why.trailers());
    }
    return Objects.requireNonNull(
        callFor(Objects.requireNonNull(request), headers),
        () -> "callFor of " + getClass().getName() + " returned null");
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    claimStart(listener, headers);
    this.listener = listener;
    this.headers = headers;
    this.parent = parentAtStart();
    step.set(Step.STARTED);
    endIfCancelled();
  }

  /** The call ends if it was cancelled before its request came. */
  private void endIfCancelled() {
    Cancellation wanted = earlyCancellation();
    if (wanted != null && step.compareAndSet(Step.STARTED, Step.CHOSEN)) {
      fail(wanted.status().asException(), started());
    }
  }

  private void fail(StatusException why, Listener<? super R> receiver) {
    failure = why;
    begin(receiver, headers);
  }

  private Listener<? super R> started() {
    return Objects.requireNonNull(listener);
  }

  @Override
  public void sendMessage(Q message) {
    requireStarted();
    if (isSent) {
      forward(message); // one more than the method allows: the call that was chosen refuses it
      return;
    }
    if (message == null) {
      refuseNull();
      return;
    }
    isSent = true;
    if (step.compareAndSet(Step.STARTED, Step.CHOSEN)) { // otherwise it was cancelled
      request = message;
      try {
        runIn(parent, this::choose);
      } finally {
        request = null; // this call may live for long
      }
      forward(message);
    }
  }

  /** A message that must not be sent ends the call, unless that has ended. */
  private void refuseNull() {
    if (step.compareAndSet(Step.STARTED, Step.CHOSEN)) {
      StatusException mistake = AnsweredCall.NULL_REQUEST.asException();
      fail(mistake, started());
      throw mistake;
    }
  }

  private void forward(Q message) {
    ClientCall<Q, R> call = made();
    if (call != null) {
      call.sendMessage(message);
    }
  }

  private void choose() {
    DroppableListener<R> receiver = new DroppableListener<>(started());
    try {
      begin(receiver, headers);
    } catch (Throwable e) {
      refuse(e, receiver);
      throw e;
    }
  }

  /**
   * The call that was chosen does not start, and may not tell its listener so. If the listener is
   * in an event of that call, it gets the end after it.
   */
  private void refuse(Throwable why, DroppableListener<R> receiver) {
    ClientCall<Q, R> left = made();
    String what = "the call of " + method.fullMethodName() + " cannot be made";
    StatusException refusal =
        why instanceof StatusException known
            ? known
            : Status.INTERNAL.withDescription(what).withCause(why).asException();
    try {
      receiver.drop(() -> fail(refusal, started()));
    } finally {
      if (left != null) {
        left.cancel("the call could not be started", why);
      }
    }
  }

  private void requireStarted() {
    if (step.get() == Step.NEW) {
      throw new IllegalStateException("the call is not started");
    }
  }

  @Override
  public void halfClose() {
    ClientCall<Q, R> call = made();
    if (call != null) {
      call.halfClose();
      return;
    }
    requireStarted();
    if (step.get() == Step.STARTED) {
      throw new IllegalStateException(
          method.fullMethodName() + ": the method has one request message, and it was not sent");
    }
  }

  @Override
  void cancel(Cancellation wanted) {
    super.cancel(wanted);
    endIfCancelled();
  }
}
