package dev.gannet.client.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends the request of a {@link RetryingCall} to its attempts. What the caller sends is kept in the
 * {@link RequestBuffer} and passed to every running attempt, in order; an attempt that begins later
 * is sent what it lacks. As soon as the buffer is DIRECT, nothing is kept, and messages go to the
 * chosen attempt without the lock.
 *
 * <p>All methods are called without the lock of the call, which is taken here for short times, and
 * never while messages are serialized or the listener is called. {@link #sendMessage} and {@link
 * #sendHalfClose} belong to the caller, {@link #sendRest} to any thread: the buffer gives an
 * attempt's part of the request to one thread at a time.
 */
final class AttemptFeeder<Q, R> {
  /** The call whose request is sent. Called without the lock. */
  interface Listener<Q, R> {
    /** The request cannot be kept: this attempt, which has got most of it, is the only one. */
    void onOverflow(CountedAttempt<Q, R> farthest);

    /** A message can be neither sent nor kept: the call ends with that. */
    void onUnsendable(Status why);
  }

  private static final Status NO_ROOM =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "more requests than retryBufferBytesPerCall or retryBufferBytes allows were sent after"
              + " an attempt had failed and before its next attempt began; wait until the call is"
              + " ready before sending more");

  private final MethodDescriptor<Q, R> method;
  private final ReentrantLock lock;
  private final CallAttempts<CountedAttempt<Q, R>> attempts;
  private final RequestBuffer<Q> request;
  private final Listener<Q, R> listener;

  /** The single message of a call, which waits for the half-close. The caller's. */
  private @Nullable Entry<Q> single;

  /**
   * For one call.
   *
   * @param lock guards {@code attempts} and {@code request}
   */
  AttemptFeeder(
      MethodDescriptor<Q, R> method,
      ReentrantLock lock,
      CallAttempts<CountedAttempt<Q, R>> attempts,
      RequestBuffer<Q> request,
      Listener<Q, R> listener) {
    this.method = method;
    this.lock = lock;
    this.attempts = attempts;
    this.request = request;
    this.listener = listener;
  }

  /** The caller's next message. */
  void sendMessage(Q message, boolean compressed) {
    CountedAttempt<Q, R> to = direct();
    if (to != null) {
      to.send(message, compressed);
    } else if (method.type().clientSendsOneMessage()) {
      single = Entry.message(message, compressed);
    } else {
      offer(Entry.message(message, compressed));
    }
  }

  /** The caller's half-close. */
  void sendHalfClose() {
    Entry<Q> waiting = single;
    CountedAttempt<Q, R> to = direct();
    if (waiting != null) {
      single = null;
      offer(waiting.andEnd());
    } else if (to != null) {
      to.halfClose();
    } else {
      offer(Entry.end());
    }
  }

  private @Nullable CountedAttempt<Q, R> direct() {
    return request.state() == RequestBuffer.State.DIRECT ? attempts.committed() : null;
  }

  private void offer(Entry<Q> entry) {
    Q message = entry.message();
    offer(entry, message == null ? 0 : method.requestMarshaller().sizeBytes(message));
  }

  private void offer(Entry<Q> entry, int sizeBytes) {
    assert !lock.isHeldByCurrentThread();
    boolean accepted = true;
    CountedAttempt<Q, R> only = null;
    CountedAttempt<Q, R> chosen = null;
    Entry<Q> next = null;
    lock.lock();
    try {
      List<CountedAttempt<Q, R>> all = attempts.running();
      if (request.state() == RequestBuffer.State.OVER) {
        return;
      }
      if (request.state() == RequestBuffer.State.DIRECT) { // since a moment ago
        only = attempts.committed();
        next = entry;
      } else if (!request.add(entry, sizeBytes)) {
        chosen = farthest(all);
        accepted = chosen == null && tryAddBeyond(entry, sizeBytes);
      } else if (all.size() == 1) {
        only = all.getFirst();
        next = request.begin(only.reader());
      }
    } finally {
      lock.unlock();
    }
    if (chosen != null) {
      listener.onOverflow(chosen);
      offer(entry, sizeBytes);
    } else if (!accepted) {
      listener.onUnsendable(NO_ROOM);
    } else if (only == null) {
      attempts.running().forEach(this::sendRest);
    } else {
      sendFrom(only, next);
    }
  }

  private boolean tryAddBeyond(Entry<Q> entry, int sizeBytes) {
    attempts.onOverflow();
    return request.addBeyond(entry, sizeBytes);
  }

  /** The attempt that has got most of the request; null if none runs. */
  private static <Q, R> @Nullable CountedAttempt<Q, R> farthest(List<CountedAttempt<Q, R>> all) {
    return all.stream()
        .reduce((a, b) -> b.reader().gotCount() > a.reader().gotCount() ? b : a)
        .orElse(null);
  }

  /** Sends the attempt what it has not got of the request, unless another thread is doing so. */
  void sendRest(CountedAttempt<Q, R> to) {
    assert !lock.isHeldByCurrentThread();
    Entry<Q> next;
    lock.lock();
    try {
      next = request.begin(to.reader());
    } finally {
      lock.unlock();
    }
    sendFrom(to, next);
  }

  private void sendFrom(CountedAttempt<Q, R> to, @Nullable Entry<Q> first) {
    try {
      for (Entry<Q> next = first; next != null; next = next.ends() ? null : nextFor(to)) {
        to.send(next);
      }
    } catch (StatusException e) {
      leaveOut(to);
      listener.onUnsendable(e.status());
    } catch (Throwable e) {
      leaveOut(to);
      listener.onUnsendable(
          Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }

  private @Nullable Entry<Q> nextFor(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      return request.next(to.reader());
    } finally {
      lock.unlock();
    }
  }

  private void leaveOut(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      request.complete(to.reader());
    } finally {
      lock.unlock();
    }
  }
}
