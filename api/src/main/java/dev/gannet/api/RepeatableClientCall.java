package dev.gannet.api;

import java.util.ArrayList;
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
 * return new RepeatableClientCall<>(method) {
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
 * response, and one end. If the caller cancels while {@link #onUnanswered} has decided nothing, or
 * the parent is cancelled, the call ends at once. No deadline ends it in that time: who waits
 * before the next call, for a new token say, limits that.
 *
 * <p>Until the response begins, the messages that were sent stay in memory, and must not be
 * modified: up to {@link #maxKeptBytes} of them. A call that has sent more goes on, but is not
 * repeated: its failure reaches the caller. If more is sent between two calls, the next call gets
 * all of it, and is the last. For retries by the status alone see {@code RetryPolicy} of the
 * service config.
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

  /** What a message takes beside its content. */
  private static final long ENTRY_BYTES = 64;

  private enum State {
    NEW,
    RUNNING,
    UNANSWERED,
    /** The current call is not repeated, and what it was given is not kept. */
    SETTLED,
    ENDED
  }

  /** A message of the caller, and whether it may be compressed. */
  private record Sent<Q>(Q message, boolean compressed) {}

  /** The next thing that a call has to be given. */
  private record Step<Q>(
      ClientCall<Q, ?> call, int requested, @Nullable Sent<Q> message, boolean changesCompression) {
    void run() {
      if (requested > 0) {
        call.request(requested);
      } else if (message == null) {
        call.halfClose();
      } else {
        if (changesCompression) {
          call.setMessageCompression(message.compressed());
        }
        call.sendMessage(message.message());
      }
    }
  }

  private final Marshaller<Q> marshaller;
  private final ReentrantLock lock = new ReentrantLock();

  // Set when the call starts.
  private @Nullable Listener<? super R> listener;
  private Metadata headers = new Metadata();
  private Optional<CallParent> parent = Optional.empty();

  /** Belongs to the caller, who sends on one thread at a time. */
  private long sentBytes;

  // Guarded by the lock: what the caller has done.
  private State state = State.NEW;
  private final List<Sent<Q>> sent = new ArrayList<>();
  private boolean isTooLong;
  private long requested;
  private boolean halfClosed;
  private boolean compressed = true;
  private @Nullable Cancellation cancellation;

  /** The registration at the parent, while nothing is decided; guarded by the lock. */
  private @Nullable Registration atParent;

  // Guarded by the lock: what the current call knows of it.
  private @Nullable ClientCall<Q, R> current;
  private int givenMessages;
  private long givenRequests;
  private boolean givenHalfClose;
  private boolean givenCompression = true;

  /** Whether a thread gives the current call what it does not know; guarded by the lock. */
  private boolean isGiving;

  /**
   * A call that is not started.
   *
   * @param method the called method, whose marshaller knows how long requests are
   */
  protected RepeatableClientCall(MethodDescriptor<Q, R> method) {
    marshaller = method.requestMarshaller();
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
   * call there, with the status of a {@link StatusException}.
   *
   * @param headers those with which the call is started afterwards; they may be changed, which
   *     later calls do not see
   */
  @Override
  protected abstract ClientCall<Q, R> newCall(Metadata headers);

  /**
   * The current call has failed before anything of a response has arrived. Calls {@link #repeat} or
   * {@link #end}, now or later, on any thread. Not called if the caller has cancelled the call, if
   * a listener has thrown, or if more was sent than {@linkplain #maxKeptBytes is kept}. An
   * exception ends the call.
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
    lock.lock();
    try {
      if (state == State.ENDED) {
        return;
      }
      if (state != State.UNANSWERED) {
        throw new IllegalStateException("only a call that has failed unanswered can be repeated");
      }
      state = isTooLong ? State.SETTLED : State.RUNNING;
      forgetCurrent();
      leaveParent();
    } finally {
      lock.unlock();
    }
    try {
      runIn(parent, () -> begin(headers.copy()));
    } catch (Throwable e) {
      giveUp(e);
    }
  }

  /** The thread that started the current call may not have noted it yet, and must not do so now. */
  private void forgetCurrent() {
    setMade(null);
    current = null;
    givenMessages = 0;
    givenRequests = 0;
    givenHalfClose = false;
    givenCompression = true;
  }

  /** The next call cannot be made. */
  private void giveUp(Throwable why) {
    Status status =
        why instanceof StatusException known
            ? known.status()
            : Status.INTERNAL.withDescription("the call cannot be made again").withCause(why);
    if (moveToEnd()) {
      cancelCurrent("the call cannot be made again", why);
      deliverEnd(status, new Metadata());
    }
  }

  private void cancelCurrent(String message, Throwable cause) {
    ClientCall<Q, R> call = made();
    if (call != null) {
      call.cancel(message, cause);
    }
  }

  /**
   * Ends the call. Does nothing if the call has ended meanwhile, because the caller has cancelled
   * it.
   *
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
    if (moveToEnd()) {
      deliverEnd(status, trailers);
    }
  }

  /** Returns false if it was there before. */
  private boolean moveToEnd() {
    lock.lock();
    try {
      boolean moved = state != State.ENDED;
      state = State.ENDED;
      sent.clear();
      givenMessages = 0;
      leaveParent();
      return moved;
    } finally {
      lock.unlock();
    }
  }

  /** If the listener of an interceptor throws, the caller gets an end all the same. */
  private void deliverEnd(Status status, Metadata trailers) {
    try {
      started().onClose(status, trailers);
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
      throw e;
    }
  }

  private void begin(Metadata headers) {
    ClientCall<Q, R> call = make(headers);
    setMade(call); // before it starts: its events may use this call
    Cancellation early = cancellation();
    if (early != null) {
      early.applyTo(call);
    }
    call.start(new Events(), headers);
    makeCurrent(call);
    give();
  }

  @SuppressWarnings("ReferenceEquality") // it may have failed in start, and be replaced already
  private void makeCurrent(ClientCall<Q, R> call) {
    lock.lock();
    try {
      if (call == made()) {
        current = call;
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Cancellation cancellation() {
    lock.lock();
    try {
      return cancellation;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the current call what the caller has sent and requested. One thread does so for all, and
   * without the lock: what the call does then may come back to this one.
   */
  private void give() {
    if (!startGiving()) {
      return;
    }
    for (Step<Q> step = next(); step != null; step = next()) {
      try {
        step.run();
      } catch (Throwable e) {
        if (stopGivingTo(step.call())) {
          throw e;
        } // otherwise the next call, which gets all of it again, has its own end
      }
    }
  }

  private boolean startGiving() {
    lock.lock();
    try {
      boolean starts = !isGiving;
      isGiving = true;
      return starts;
    } finally {
      lock.unlock();
    }
  }

  /** The call has thrown an exception; returns false if another one has replaced it meanwhile. */
  @SuppressWarnings("ReferenceEquality") // that very call
  private boolean stopGivingTo(ClientCall<Q, ?> call) {
    lock.lock();
    try {
      boolean stops = current == null || current == call;
      isGiving = !stops;
      return stops;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Step<Q> next() {
    lock.lock();
    try {
      ClientCall<Q, R> call = current;
      boolean open = state == State.RUNNING || state == State.SETTLED;
      Step<Q> step = call == null || !open ? null : nextFor(call);
      isGiving = step != null;
      return step;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Step<Q> nextFor(ClientCall<Q, R> call) {
    if (givenRequests < requested) {
      int more = (int) Math.min(Integer.MAX_VALUE, requested - givenRequests);
      givenRequests += more;
      return new Step<>(call, more, null, false);
    }
    if (givenMessages < sent.size()) {
      Sent<Q> message = sent.get(givenMessages++);
      boolean changes = givenCompression != message.compressed();
      givenCompression = message.compressed();
      forgetGiven();
      return new Step<>(call, 0, message, changes);
    }
    if (halfClosed && !givenHalfClose) {
      givenHalfClose = true;
      return new Step<>(call, 0, null, false);
    }
    return null;
  }

  private void forgetGiven() {
    if (state == State.SETTLED) {
      sent.subList(0, givenMessages).clear();
      givenMessages = 0;
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
      try {
        started().onReady();
      } catch (Throwable e) {
        settle();
        throw e;
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk() && moveToUnanswered()) {
        decide(status, trailers);
      } else if (moveToEnd()) {
        deliverEnd(status, trailers);
      }
    }

    private void decide(Status status, Metadata trailers) {
      try {
        followParent();
        onUnanswered(status, trailers);
      } catch (Throwable e) {
        if (moveToEnd()) {
          cancelCurrent("an interceptor threw an exception", e);
          deliverEnd(afterException(e), new Metadata());
        }
        throw e; // the engine logs it
      }
    }
  }

  /** While there is no call that would be cancelled with the parent, this one is. */
  private void followParent() {
    if (parent.isEmpty()) {
      return;
    }
    CallParent followed = parent.get();
    Registration made = followed.onCancelled(() -> endUndecided(statusFrom(followed)));
    lock.lock();
    try {
      if (state == State.UNANSWERED) {
        atParent = made;
      } else {
        made.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private static Status statusFrom(CallParent cancelled) {
    return cancelled instanceof CallScope scope
        ? scope.cancellation().orElse(Status.CANCELLED)
        : Status.CANCELLED.withDescription(
            "the call was made by a handler whose own call was cancelled");
  }

  private void leaveParent() {
    Registration made = atParent;
    if (made != null) {
      atParent = null;
      made.close();
    }
  }

  private void endUndecided(Status status) {
    boolean ends;
    lock.lock();
    try {
      ends = state == State.UNANSWERED && moveToEnd();
    } finally {
      lock.unlock();
    }
    if (ends) {
      deliverEnd(status, new Metadata());
    }
  }

  /** The call is not repeated from now on; returns false if it has ended. */
  private boolean settle() {
    lock.lock();
    try {
      if (state == State.RUNNING) {
        state = State.SETTLED;
        forgetGiven();
      }
      return state == State.SETTLED;
    } finally {
      lock.unlock();
    }
  }

  private boolean moveToUnanswered() {
    lock.lock();
    try {
      boolean moves = state == State.RUNNING && cancellation == null;
      if (moves) {
        state = State.UNANSWERED;
      }
      return moves;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void request(int messages) {
    checkRequested(messages);
    lock.lock();
    try {
      requested += messages;
    } finally {
      lock.unlock();
    }
    give();
  }

  @Override
  public void sendMessage(Q message) {
    Objects.requireNonNull(message, "message");
    boolean fits = mayBeRepeated() && fits(message);
    lock.lock();
    try {
      requireStarted();
      if (halfClosed) {
        throw new IllegalStateException("no message can follow the half-close");
      }
      if (state != State.ENDED) {
        sent.add(new Sent<>(message, compressed));
        if (!fits) {
          isTooLong = true;
          settle(); // unless no call runs: then everything is kept for the next one
        }
      }
    } finally {
      lock.unlock();
    }
    give();
  }

  private boolean mayBeRepeated() {
    lock.lock();
    try {
      return !isTooLong && (state == State.RUNNING || state == State.UNANSWERED);
    } finally {
      lock.unlock();
    }
  }

  /** Counts a message; without the lock, because it calls others. Only the caller sends. */
  private boolean fits(Q message) {
    long limit = maxKeptBytes();
    try {
      sentBytes += marshaller.sizeBytes(message) + ENTRY_BYTES;
      return sentBytes <= limit;
    } catch (Throwable e) { // the call that gets the message says so
      return false;
    }
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
      halfClosed = true;
    } finally {
      lock.unlock();
    }
    give();
  }

  @Override
  void cancel(Cancellation wanted) {
    boolean endsHere;
    lock.lock();
    try {
      if (cancellation == null) {
        cancellation = wanted;
      }
      endsHere = state == State.UNANSWERED && moveToEnd();
    } finally {
      lock.unlock();
    }
    if (endsHere) {
      deliverEnd(wanted.status(), new Metadata());
      return;
    }
    ClientCall<Q, R> call = made();
    if (call != null) { // also if it was made meanwhile: cancelling again has no effect
      wanted.applyTo(call);
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    lock.lock();
    try {
      compressed = enabled;
    } finally {
      lock.unlock();
    }
  }
}
