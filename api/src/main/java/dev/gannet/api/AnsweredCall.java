package dev.gannet.api;

import dev.gannet.api.engine.ChannelCall;
import dev.gannet.api.engine.StubListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer is there before it starts. Its listener gets that as it gets a response from
 * a server: one event at a time, on the call's executor, and as many messages as were requested.
 * What its caller sends is dropped.
 *
 * <pre>
 *   OPEN ──the answer is delivered──────────────────────────────────► ENDED
 *     └──cancel, a listener throws──► Broken (only the end is delivered) ──▲
 *
 *   IDLE ──something to deliver──► QUEUED ──a thread runs it──► RUNNING ──nothing left──► IDLE
 * </pre>
 */
final class AnsweredCall<Q, R> implements ClientCall<Q, R>, ChannelCall, Runnable {
  private static final Logger LOG = System.getLogger(AnsweredCall.class.getName());

  /**
   * What the listener gets.
   *
   * @param headers null if there are only trailers
   */
  record Answer<R>(
      @Nullable Metadata headers, List<R> messages, Status status, Metadata trailers) {}

  /** What is delivered from now on; nothing before the start. */
  private sealed interface State {}

  private enum Step implements State {
    OPEN,
    ENDED
  }

  /** Only the end, with this status. */
  private record Broken(Status fault) implements State {}

  /** Whether a task of the executor delivers events, or will. */
  private enum Delivery {
    IDLE,
    QUEUED,
    /** One thread delivers: that of the task, or, if the executor has refused it, another. */
    RUNNING
  }

  /** One event for the listener. */
  private interface Event<R> {
    void deliverTo(Listener<? super R> listener);
  }

  static final Status NULL_REQUEST =
      Status.INTERNAL.withDescription("the caller sent null instead of a request message");

  private final Answer<R> answer;
  private final Executor executor;

  /** Belongs to the caller, who sends on one thread at a time. */
  private boolean isSent;

  private final ReentrantLock lock = new ReentrantLock();

  /** Set before the start. */
  private @Nullable StubListener caller;

  // Guarded by the lock.
  private @Nullable Listener<? super R> listener;
  private boolean headersDelivered;
  private int delivered;
  private long requested;
  private State state = Step.OPEN;
  private Delivery delivery = Delivery.IDLE;

  /** A call that is not started. */
  AnsweredCall(Answer<R> answer, Executor executor) {
    this.answer = answer;
    this.executor = executor;
  }

  @Override
  public void setCaller(StubListener caller) {
    this.caller = caller;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(headers, "headers");
    lock.lock();
    try {
      if (this.listener != null) {
        throw new IllegalStateException("the call was already started");
      }
      this.listener = listener;
    } finally {
      lock.unlock();
    }
    deliverSoon();
  }

  @Override
  public void request(int messages) {
    DeferredClientCall.checkRequested(messages);
    lock.lock();
    try {
      requested += messages;
    } finally {
      lock.unlock();
    }
    deliverSoon();
  }

  @Override
  public void sendMessage(Q message) {
    if (message == null) {
      refuse(NULL_REQUEST);
    } else if (isSent) {
      refuse(
          Status.INTERNAL.withDescription("the method has one request message, and it was sent"));
    }
    isSent = true;
  }

  /** A message that must not be sent ends the call, unless that has ended. */
  private void refuse(Status mistake) {
    if (isReady()) {
      cancelWith(mistake);
      throw mistake.asException();
    }
  }

  @Override
  public void halfClose() {}

  @Override
  public void cancel(String message) {
    cancelWith(Status.CANCELLED.withDescription(message));
  }

  @Override
  public void cancel(String message, Throwable cause) {
    cancelWith(Status.CANCELLED.withDescription(message).withCause(cause));
  }

  /** The listener gets this end in place of the rest of the answer, unless only its end is left. */
  private void cancelWith(Status why) {
    lock.lock();
    try {
      boolean onlyEndIsLeft =
          answer.headers() == null || (headersDelivered && delivered == answer.messages().size());
      if (state == Step.OPEN && (listener == null || !onlyEndIsLeft)) {
        state = new Broken(why);
      }
    } finally {
      lock.unlock();
    }
    deliverSoon();
  }

  @Override
  public boolean isReady() {
    lock.lock();
    try {
      return listener != null && state != Step.ENDED;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isResponseCompressed() {
    return false;
  }

  @Override
  public void setMessageCompression(boolean enabled) {}

  private void deliverSoon() {
    lock.lock();
    try {
      if (listener == null || delivery != Delivery.IDLE || !hasNext()) {
        return;
      }
      delivery = Delivery.QUEUED;
    } finally {
      lock.unlock();
    }
    try {
      executor.execute(this);
    } catch (Throwable e) { // a user's executor: any failure is a rejection
      onExecutorFailed(e);
    }
  }

  /**
   * The listener gets the end on this thread, unless the executor has run the task all the same.
   */
  private void onExecutorFailed(Throwable why) {
    if (!claimDelivery()) { // it may run tasks where it gets them, and throw what a listener throws
      log("the executor of the client's call has run a task and thrown an exception", why);
      return;
    }
    cancelWith(
        Status.CANCELLED
            .withDescription("the executor of the client's call rejected a task")
            .withCause(why));
    try {
      deliver();
    } catch (Throwable e) { // not for this thread, which may be that of another user
      log("a listener has thrown an exception at the end of a call", e);
    }
  }

  /** Returns false if another thread delivers, or has done so. */
  private boolean claimDelivery() {
    lock.lock();
    try {
      boolean claims = delivery == Delivery.QUEUED;
      if (claims) {
        delivery = Delivery.RUNNING;
      }
      return claims;
    } finally {
      lock.unlock();
    }
  }

  /** Guarded by the lock. */
  private boolean hasNext() {
    if (state != Step.OPEN) {
      return state instanceof Broken;
    }
    return (answer.headers() != null && !headersDelivered)
        || delivered == answer.messages().size()
        || delivered < requested;
  }

  private @Nullable Event<R> next() {
    lock.lock();
    try {
      if (hasNext()) {
        return nextEvent();
      }
      delivery = Delivery.IDLE;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Guarded by the lock. */
  private Event<R> nextEvent() {
    Metadata headers = answer.headers();
    if (state instanceof Broken broken) {
      state = Step.ENDED;
      return to -> to.onClose(broken.fault(), new Metadata());
    }
    if (headers != null && !headersDelivered) {
      headersDelivered = true;
      return to -> to.onHeaders(headers);
    }
    if (delivered < answer.messages().size()) {
      R message = answer.messages().get(delivered++);
      return to -> to.onMessage(message);
    }
    state = Step.ENDED;
    return to -> to.onClose(answer.status(), answer.trailers());
  }

  /**
   * Delivers what there is, on a thread of the executor. Does nothing if the executor has refused
   * this task, and kept it.
   */
  @Override
  public void run() {
    if (claimDelivery()) {
      deliver();
    }
  }

  private void deliver() {
    Listener<? super R> receiver = Objects.requireNonNull(listener);
    for (Event<R> event = next(); event != null; event = next()) {
      try {
        event.deliverTo(receiver);
      } catch (Throwable e) {
        onListenerThrew(e);
      }
    }
  }

  private void onListenerThrew(Throwable thrown) {
    lock.lock();
    try {
      if (state != Step.ENDED) {
        state =
            new Broken(
                Status.CANCELLED
                    .withDescription(
                        "a listener (of the application or an interceptor) threw an exception")
                    .withCause(thrown));
        return;
      }
    } finally {
      lock.unlock();
    }
    onEndThrew(thrown);
  }

  /** The caller may still wait for the end, if an interceptor has not forwarded it. */
  private void onEndThrew(Throwable thrown) {
    String what = "the listener of an interceptor threw an exception at the end";
    if (!(caller instanceof Listener<?> last)) {
      throw new IllegalStateException(what, thrown);
    }
    log(what, thrown);
    last.onClose(Status.CANCELLED.withDescription(what).withCause(thrown), new Metadata());
  }

  private static void log(String what, Throwable thrown) {
    try {
      LOG.log(Level.WARNING, what, thrown);
    } catch (RuntimeException | Error e) { // the caller must get its end all the same
      thrown.addSuppressed(e);
    }
  }

  @Override
  public String toString() {
    return "AnsweredCall(" + answer.status() + ")";
  }
}
