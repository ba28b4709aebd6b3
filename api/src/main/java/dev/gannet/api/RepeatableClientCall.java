package dev.gannet.api;

import dev.gannet.api.engine.StubListener;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call that can be made again as long as nothing of its response has arrived: the base class for
 * calls of a {@link ClientInterceptor} that makes several calls for one, for example because the
 * first was refused, or its token has expired.
 *
 * <pre>{@code
 * CallOptions shared = options.startingNow(); // one deadline for both
 * return new RepeatableClientCall<>(method, shared, next) {
 *   private boolean repeated;
 *
 *   @Override
 *   protected ClientCall<Q, R> newCall(Metadata headers) {
 *     return next.newCall(method, shared);
 *   }
 *
 *   @Override
 *   protected void onUnanswered(Status status, Metadata trailers) {
 *     if (!repeated && status.code() == Status.Code.UNAVAILABLE) {
 *       repeated = true;
 *       repeat();
 *     } else {
 *       end(status, trailers);
 *     }
 *   }
 * };
 * }</pre>
 *
 * <p>The next call is made for the same {@link CallParent}, and gets what the caller has sent and
 * requested so far; the caller's listener only gets the events of all calls that belong to one
 * response, and one end, on the call's executor and one at a time. If the caller cancels while
 * {@link #onUnanswered} has decided nothing, or the parent is cancelled, the call ends at once. No
 * deadline ends it in that time: who waits before the next call, for a new token say, limits that.
 *
 * <p>Until the response begins, the messages that were sent stay in memory, and must not be
 * modified: up to {@link #maxKeptBytes} of them. A call that has sent more goes on, but is not
 * repeated: its failure reaches the caller. If more is sent between two calls, the next call gets
 * all of it, and is the last. For retries by the status alone see {@code RetryPolicy} of the
 * service config.
 *
 * <p>Its caller uses it like any {@link ClientCall}; {@link #repeat} and {@link #end} may be called
 * on any thread, and throw nothing that a listener throws. Subclasses, listeners and calls are
 * called without its lock.
 *
 * <pre>
 *   NEW ──start──► RUNNING ──response begins, or too much sent──► SETTLED ──end──► ENDED
 *                   ▲   ├────────OK, or the caller has cancelled────────────────────▲
 *                   │   └──failure──► UNANSWERED ──end, caller or parent cancels────┤
 *                   └─────repeat──────────┤ │                                       │
 *                                         │ └──────an exception of the subclass─────┘
 *                                         └──repeat, but too much sent──► SETTLED
 * </pre>
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
@Preview(until = "0.3")
public abstract class RepeatableClientCall<Q, R> extends DeferredClientCall<Q, R> {
  private static final long MAX_KEPT_BYTES = 1024 * 1024;
  private static final String NOT_MADE = "the call cannot be made again";

  private enum State {
    NEW,
    RUNNING,
    UNANSWERED,
    /** The current call is not repeated, and what it was given is not kept. */
    SETTLED,
    ENDED
  }

  /** How the call ends. */
  private record End(Status status, Metadata trailers) {
    static End of(Throwable thrown, String what) {
      return thrown instanceof StatusException known
          ? new End(known.status(), known.trailers())
          : new End(Status.INTERNAL.withDescription(what).withCause(thrown), new Metadata());
    }
  }

  private final CallOptions options;
  private final Channel next;
  private final KeptRequest<Q> kept;
  private final ReentrantLock lock = new ReentrantLock();

  // Set when the call starts.
  private @Nullable Listener<? super R> listener;
  private Metadata headers = new Metadata();
  private Optional<CallParent> parent = Optional.empty();

  // Guarded by the lock, which is not held while what the caller has sent is kept or given.
  private State state = State.NEW;
  private boolean isTooLong;
  private @Nullable Cancellation cancellation;

  /** Why the call is cancelled on this side: that is its end, not the cancellation. */
  private @Nullable End ownEnd;

  /** The registration at the parent, while nothing is decided; guarded by the lock. */
  private @Nullable Registration atParent;

  /**
   * A call that is not started.
   *
   * @param method the called method, whose marshaller knows how long requests are
   * @param options those of the call, which may name its executor
   * @param next the channel that the interceptor was given; its executor is that of calls without
   *     one
   */
  protected RepeatableClientCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    this.options = Objects.requireNonNull(options, "options");
    this.next = Objects.requireNonNull(next, "next");
    kept = new KeptRequest<>(method.requestMarshaller());
  }

  /**
   * How many bytes of messages are kept for further calls, before compression and with 64 bytes for
   * each message: 1 MiB by default. {@link Marshaller#sizeBytes} measures them. The call is not
   * repeated once it has sent more. Called for each message, on the thread that sends it.
   */
  protected long maxKeptBytes() {
    return MAX_KEPT_BYTES;
  }

  /**
   * Makes a call, and does not start it: usually {@code next.newCall(…)}. Runs inside {@link
   * #start}, which throws what it throws, and again in each {@link #repeat}; an exception ends the
   * call there, with the status and the trailers of a {@link StatusException}.
   *
   * @param headers those with which the call is started afterwards; they may be changed, which
   *     later calls do not see
   */
  @Override
  protected abstract ClientCall<Q, R> newCall(Metadata headers);

  /**
   * The current call has failed before anything of a response has arrived. Calls {@link #repeat} or
   * {@link #end}, now or later, on any thread. Not called if the caller has cancelled the call, or
   * its {@link CallParent} was cancelled, if a listener has thrown, or if more was sent than
   * {@linkplain #maxKeptBytes is kept}. An exception ends the call, with the status and the
   * trailers of a {@link StatusException}.
   *
   * <p>Limit the number of repeats: some failures come again with each call, such as {@link
   * Status.Code#INTERNAL} for a message that its marshaller cannot write.
   */
  protected void onUnanswered(Status status, Metadata trailers) {
    end(status, trailers);
  }

  /**
   * Makes another call in place of the one that has failed, and starts it. Does nothing if the call
   * has ended meanwhile, because the caller has cancelled it.
   *
   * @throws IllegalStateException if the current call has not {@linkplain #onUnanswered failed}
   */
  protected final void repeat() {
    if (!leaveUnanswered()) {
      return;
    }
    try {
      runIn(parent, () -> beginAgain(headers.copy()));
    } catch (Throwable e) { // no call has started
      endSoon(End.of(e, NOT_MADE));
    }
  }

  /** Returns false if the call has ended. */
  private boolean leaveUnanswered() {
    boolean isLast;
    lock.lock();
    try {
      if (state == State.ENDED) {
        return false;
      }
      if (state != State.UNANSWERED) {
        throw new IllegalStateException("only a call that has failed unanswered can be repeated");
      }
      isLast = isTooLong;
      state = isLast ? State.SETTLED : State.RUNNING;
      setMade(null);
      leaveParent();
    } finally {
      lock.unlock();
    }
    if (isLast) {
      kept.settle();
    }
    return true;
  }

  private void beginAgain(Metadata headers) {
    ClientCall<Q, R> call = prepare(headers);
    DroppableListener<R> events = new DroppableListener<>(new Events());
    try {
      call.start(events, headers);
    } catch (Throwable e) {
      try {
        events.drop(() -> endSoon(End.of(e, NOT_MADE)));
      } finally {
        call.cancel(NOT_MADE, e);
      }
      return;
    }
    kept.onStarted(call);
    Throwable refusal = kept.offer();
    if (refusal != null) {
      onRefused(refusal);
    }
  }

  /** The current call does not take what the caller has sent or requested. */
  private void onRefused(Throwable why) {
    cancelFor(End.of(why, "the call does not take what was sent or requested"), why);
  }

  /** The end of the current call is replaced by this one, unless it has ended without that. */
  private void cancelFor(End end, @Nullable Throwable why) {
    lock.lock();
    try {
      ownEnd = ownEnd == null ? end : ownEnd;
    } finally {
      lock.unlock();
    }
    cancel(new Cancellation("the call ends with " + end.status().code(), why));
  }

  /**
   * Ends the call: the listener learns of it on the call's executor. Does nothing if the call has
   * ended meanwhile, because the caller has cancelled it.
   *
   * @param trailers belong to the listener from now on
   * @throws IllegalStateException if the current call has not {@linkplain #onUnanswered failed}
   */
  protected final void end(Status status, Metadata trailers) {
    lock.lock();
    try {
      if (state != State.UNANSWERED && state != State.ENDED) {
        throw new IllegalStateException("only a call that has failed unanswered can be ended");
      }
    } finally {
      lock.unlock();
    }
    endSoon(new End(status, trailers));
  }

  /** Ends the call outside of an event, unless it has ended. */
  private void endSoon(End end) {
    if (moveToEnd()) {
      deliverSoon(end.status(), end.trailers());
    }
  }

  /** Returns false if it was there before. */
  private boolean moveToEnd() {
    boolean moves;
    lock.lock();
    try {
      moves = state != State.ENDED;
      noteEnd();
    } finally {
      lock.unlock();
    }
    kept.end();
    return moves;
  }

  private void noteEnd() {
    state = State.ENDED;
    leaveParent();
  }

  /** A call that is cancelled for another end ends with that. */
  private End endOf(Status status, Metadata trailers) {
    lock.lock();
    try {
      End own = ownEnd;
      return own != null && status.code() == Status.Code.CANCELLED
          ? own
          : new End(status, trailers);
    } finally {
      lock.unlock();
    }
  }

  /** Delivers an end that is not that of a call, like that of a call which has nothing else. */
  private void deliverSoon(Status status, Metadata trailers) {
    End end = endOf(status, trailers);
    AnsweredCall<Q, R> last =
        new AnsweredCall<>(
            new AnsweredCall.Answer<>(null, List.of(), end.status(), end.trailers()),
            options.executor().orElseGet(next::executor));
    StubListener caller = caller();
    if (caller != null) {
      last.setCaller(caller);
    }
    last.start(started(), new Metadata());
  }

  /**
   * Delivers the end in an event of the current call. If the listener of an interceptor throws, the
   * caller gets an end all the same.
   */
  private void deliverEnd(Status status, Metadata trailers) {
    End end = endOf(status, trailers);
    try {
      started().onClose(end.status(), end.trailers());
    } catch (Throwable e) {
      if (caller() instanceof Listener<?> last) { // which ignores a second end
        last.onClose(afterException(e), new Metadata());
      }
      throw e;
    }
  }

  private static Status afterException(Throwable thrown) {
    return Status.CANCELLED
        .withDescription("the listener of an interceptor threw an exception at the end")
        .withCause(thrown);
  }

  private Listener<? super R> started() {
    return Objects.requireNonNull(listener);
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    claimStart(listener, headers);
    this.listener = listener;
    this.headers = headers.copy();
    this.parent = parentAtStart();
    lock.lock();
    try {
      state = State.RUNNING;
    } finally {
      lock.unlock();
    }
    try {
      runIn(parent, () -> begin(headers));
    } catch (Throwable e) {
      moveToEnd(); // nobody waits for it: start throws
      ClientCall<Q, R> left = made();
      if (left != null) {
        left.cancel("the call could not be started", e);
      }
      throw e;
    }
  }

  private void begin(Metadata headers) {
    ClientCall<Q, R> call = prepare(headers);
    call.start(new Events(), headers);
    kept.onStarted(call);
    kept.give();
  }

  /** Makes the current call, which is started next. */
  private ClientCall<Q, R> prepare(Metadata headers) {
    ClientCall<Q, R> call = make(headers);
    // before it starts: its events may use this call; write-then-check with cancel: made first,
    // then cancellation
    setMade(call);
    Cancellation early = cancellation();
    if (early != null) {
      early.applyTo(call);
    }
    kept.expect(call);
    return call;
  }

  private @Nullable Cancellation cancellation() {
    lock.lock();
    try {
      return cancellation;
    } finally {
      lock.unlock();
    }
  }

  /** The events of one call. */
  private final class Events implements Listener<R> {
    @Override
    public void onHeaders(Metadata received) {
      if (settle()) {
        started().onHeaders(received);
      }
    }

    @Override
    public void onMessage(R message) {
      if (settle()) {
        started().onMessage(message);
      }
    }

    @Override
    public void onReady() {
      if (!isOpen()) {
        return;
      }
      try {
        started().onReady();
      } catch (Throwable e) {
        settle();
        throw e;
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk() && !isParentCancelled() && moveToUnanswered()) {
        decide(status, trailers);
      } else if (moveToEnd()) {
        deliverEnd(status, trailers);
      }
    }

    private void decide(Status status, Metadata trailers) {
      try {
        if (followParent()) {
          onUnanswered(status, trailers);
        }
      } catch (StatusException e) {
        onUndecided(new End(e.status(), e.trailers()), e);
      } catch (Throwable e) {
        onUndecided(new End(afterException(e), new Metadata()), e);
        throw e; // the engine logs it
      }
    }
  }

  /** The subclass has thrown instead of deciding, or after it has repeated the call. */
  private void onUndecided(End end, Throwable why) {
    if (leaveUndecided()) {
      deliverEnd(end.status(), end.trailers());
    } else {
      cancelFor(end, why);
    }
  }

  private boolean isParentCancelled() {
    return parent.isPresent() && parent.get().isCancelled();
  }

  /**
   * While there is no call that would be cancelled with the parent, this one is. Returns false if
   * it has ended.
   */
  private boolean followParent() {
    @Nullable Registration made =
        parent.map(it -> it.onCancelled(() -> endUndecided(it.endOfCalls()))).orElse(null);
    lock.lock();
    try {
      boolean follows = state == State.UNANSWERED;
      if (follows) {
        atParent = made;
      } else if (made != null) {
        made.close();
      }
      return follows;
    } finally {
      lock.unlock();
    }
  }

  private void leaveParent() {
    Registration made = atParent;
    if (made != null) {
      atParent = null;
      made.close();
    }
  }

  /** Returns false if there is a call, or the end. */
  private boolean endUndecided(Status status) {
    boolean ends = leaveUndecided();
    if (ends) {
      deliverSoon(status, new Metadata());
    }
    return ends;
  }

  /** Moves to the end if nothing is decided; returns false if there is a call, or the end. */
  private boolean leaveUndecided() {
    lock.lock();
    try {
      if (state != State.UNANSWERED) {
        return false;
      }
      noteEnd();
    } finally {
      lock.unlock();
    }
    kept.end();
    return true;
  }

  /** Whether a call runs whose events are those of this one. */
  private boolean isOpen() {
    lock.lock();
    try {
      return state == State.RUNNING || state == State.SETTLED;
    } finally {
      lock.unlock();
    }
  }

  /** The call is not repeated from now on; returns false if it has ended. */
  private boolean settle() {
    boolean settles;
    lock.lock();
    try {
      settles = state == State.RUNNING;
      if (settles) {
        state = State.SETTLED;
      } else if (state != State.SETTLED) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    if (settles) {
      kept.settle();
    }
    return true;
  }

  private boolean moveToUnanswered() {
    lock.lock();
    try {
      if (state != State.RUNNING || cancellation != null) {
        return false;
      }
      state = State.UNANSWERED;
    } finally {
      lock.unlock();
    }
    kept.restart();
    return true;
  }

  @Override
  public void request(int messages) {
    checkRequested(messages);
    kept.request(messages);
    Throwable refusal = kept.offer();
    if (refusal instanceof StatusException) { // for the listener: others may have sent the message
      onRefused(refusal);
    } else if (refusal != null) {
      throw KeptRequest.unchecked(refusal);
    }
  }

  @Override
  public void sendMessage(Q message) {
    boolean mayBeRepeated = mayBeRepeated();
    refuseMistake(message);
    boolean fits = mayBeRepeated && kept.fits(message, maxKeptBytes());
    kept.add(message);
    if (!fits) {
      keepNoMore();
    }
    kept.give();
  }

  /** A message that must not be sent ends the call, as with every call. */
  private void refuseMistake(@Nullable Q message) {
    Optional<String> fault = kept.faultOf(message);
    if (fault.isPresent()) {
      Status mistake = Status.INTERNAL.withDescription(fault.get());
      cancelFor(new End(mistake, new Metadata()), null);
      throw mistake.asException();
    }
  }

  /**
   * Whether there may be a further call.
   *
   * @throws IllegalStateException if there was none yet
   */
  private boolean mayBeRepeated() {
    lock.lock();
    try {
      requireStarted();
      return !isTooLong && (state == State.RUNNING || state == State.UNANSWERED);
    } finally {
      lock.unlock();
    }
  }

  /** More was sent than is kept. If no call runs, everything is kept for the next one. */
  private void keepNoMore() {
    lock.lock();
    try {
      isTooLong = true;
    } finally {
      lock.unlock();
    }
    settle();
  }

  private void requireStarted() {
    if (state == State.NEW) {
      throw new IllegalStateException("the call is not started");
    }
  }

  @Override
  public void halfClose() {
    lock.lock();
    try {
      requireStarted();
    } finally {
      lock.unlock();
    }
    kept.halfClose();
    kept.give();
  }

  @Override
  void cancel(Cancellation wanted) {
    note(wanted);
    if (endUndecided(wanted.status())) {
      return;
    }
    // write-then-check with begin: cancellation first, then made; cancelling twice is harmless
    ClientCall<Q, R> call = made();
    if (call != null) {
      wanted.applyTo(call);
    }
  }

  private void note(Cancellation wanted) {
    lock.lock();
    try {
      if (cancellation == null) {
        cancellation = wanted;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    kept.compress(enabled);
  }
}
