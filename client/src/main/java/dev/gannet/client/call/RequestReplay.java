package dev.gannet.client.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.call.CountedAttempt.Sending;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends the request of a {@link RetryingCall} to its attempts, each of which gets all of it in the
 * caller's order, also those that begin later.
 *
 * <pre>
 *   KEPT ──commit──► PASSED_ON ──the attempt has got all so far──► DIRECT
 *    └──────────────────┴─────the attempt gets no more─────────────────┴──► OVER
 * </pre>
 *
 * <p>KEPT: everything is kept for further attempts. PASSED_ON: there is one attempt, which still
 * lacks a part; parts that it has got are dropped. DIRECT: nothing is kept, and no lock is taken.
 * OVER: the half-close was sent, or the call has ended; what the caller still sends is dropped.
 *
 * <p>An attempt gets the request from one thread at a time: from the caller's, or from the one that
 * has started or committed the attempt. The lock is the call's; it is not held while messages are
 * serialized or a stream is called. If a message cannot be sent, the call is cancelled.
 */
final class RequestReplay<Q, R> {
  private enum State {
    KEPT,
    PASSED_ON,
    DIRECT,
    OVER
  }

  private final RetryingCall<Q, R> call;
  private final ReentrantLock lock;
  private final RequestBuffer<Q> buffer;

  /** The single message of a call, which waits for the half-close. The caller's. */
  private @Nullable Entry<Q> single;

  // Written under the lock, read without it.
  private volatile State state = State.KEPT;

  /** Written before the state. */
  private @Nullable CountedAttempt<Q, R> committed;

  /** Guarded by the lock. */
  private boolean overflowed;

  RequestReplay(RetryingCall<Q, R> call, ReentrantLock lock, ReplayLimits limits) {
    this.call = call;
    this.lock = lock;
    this.buffer = new RequestBuffer<>(limits);
  }

  /** Sends the call's next message; if it is the only one, with the half-close. The caller's. */
  void send(Q message, boolean compressed) {
    CountedAttempt<Q, R> to = direct();
    if (to != null) {
      to.send(message, compressed);
    } else if (method().type().clientSendsOneMessage()) {
      single = Entry.message(message, compressed);
    } else {
      offer(Entry.message(message, compressed));
    }
  }

  /** Ends the request. The caller's. */
  void end() {
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
    return state == State.DIRECT ? committed : null;
  }

  private MethodDescriptor<Q, R> method() {
    return call.method();
  }

  private void offer(Entry<Q> entry) {
    Q message = entry.message();
    int sizeBytes = message == null ? 0 : method().requestMarshaller().sizeBytes(message);
    CountedAttempt<Q, R> only = null;
    CountedAttempt<Q, R> chosen = null;
    Entry<Q> next = null;
    lock.lock();
    try {
      List<CountedAttempt<Q, R>> all = call.underWay();
      if (state == State.OVER) {
        return;
      }
      if (state == State.DIRECT) { // since a moment ago
        only = committed;
        next = entry;
      } else {
        buffer.add(entry);
        if (message != null && state == State.KEPT && !buffer.reserve(sizeBytes)) {
          overflowed = true;
          chosen = farthest(all);
        } else if (all.size() == 1) {
          only = all.getFirst();
          next = begin(only);
        }
      }
    } finally {
      lock.unlock();
    }
    if (chosen != null) {
      call.commit(chosen);
    }
    if (only == null) {
      call.underWay().forEach(this::sendTo);
    } else {
      sendFrom(only, next);
    }
  }

  private static <Q, R> @Nullable CountedAttempt<Q, R> farthest(List<CountedAttempt<Q, R>> all) {
    return all.stream().reduce((a, b) -> b.gotCount > a.gotCount ? b : a).orElse(null);
  }

  /** Sends the attempt what it has not got of the request, unless another thread is doing so. */
  void sendTo(CountedAttempt<Q, R> to) {
    Entry<Q> next;
    lock.lock();
    try {
      next = begin(to);
    } finally {
      lock.unlock();
    }
    sendFrom(to, next);
  }

  /**
   * Like {@link #sendTo}, for callers that cannot handle an exception. The exception is dropped,
   * because it has already ended the call.
   */
  void sendQuietly(CountedAttempt<Q, R> to) {
    try {
      sendTo(to);
    } catch (RuntimeException | Error e) {
      assert call.hasEnded() || state != State.KEPT : e;
    }
  }

  private void sendFrom(CountedAttempt<Q, R> to, @Nullable Entry<Q> first) {
    try {
      for (Entry<Q> next = first; next != null; next = next.ends() ? null : takeNext(to)) {
        to.send(next);
      }
    } catch (StatusException e) {
      leaveOut(to);
      call.cancelWith(e.status());
    } catch (Throwable e) {
      leaveOut(to);
      call.cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }

  private @Nullable Entry<Q> takeNext(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      return take(to);
    } finally {
      lock.unlock();
    }
  }

  private void leaveOut(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      complete(to);
    } finally {
      lock.unlock();
    }
  }

  // All that follow: with the lock.

  /** The next part for the attempt; null if there is none, or if another thread sends it. */
  private @Nullable Entry<Q> begin(CountedAttempt<Q, R> to) {
    return to.sending == Sending.BUSY ? null : take(to);
  }

  /** The next part for the attempt, by the thread that gives it the request. */
  private @Nullable Entry<Q> take(CountedAttempt<Q, R> to) {
    if (to.sending == Sending.COMPLETE) {
      return null;
    }
    Entry<Q> next = buffer.after(to.got);
    if (next == null) {
      to.sending = Sending.IDLE;
      if (state == State.PASSED_ON) {
        passDirectly(to);
      }
      return null;
    }
    to.got = next;
    to.gotCount++;
    if (state != State.KEPT) {
      buffer.forgetFirst();
    }
    to.sending = Sending.BUSY;
    if (next.ends()) {
      complete(to);
    }
    return next;
  }

  /** The attempt has got all, or cannot get it; another one may still need it. */
  private void complete(CountedAttempt<Q, R> attempt) {
    leave(attempt);
    if (state != State.KEPT) {
      keepNothing(State.OVER);
    }
  }

  /** The attempt gets nothing any more. */
  void leave(CountedAttempt<Q, R> attempt) {
    attempt.sending = Sending.COMPLETE;
    attempt.got = null;
  }

  /**
   * No other attempt will follow this one, and the others have been left; returns whether the
   * attempt lacks a part, so that the caller has to call {@link #sendQuietly} next.
   */
  boolean commit(CountedAttempt<Q, R> attempt) {
    buffer.release();
    committed = attempt;
    if (attempt.sending == Sending.COMPLETE) {
      keepNothing(State.OVER);
      return false;
    }
    boolean lacks = attempt.sending == Sending.IDLE && buffer.after(attempt.got) != null;
    if (attempt.sending == Sending.IDLE && !lacks) {
      passDirectly(attempt);
      return false;
    }
    if (attempt.got != null) {
      buffer.forgetFirst();
    }
    state = State.PASSED_ON;
    return lacks;
  }

  private void passDirectly(CountedAttempt<Q, R> attempt) {
    attempt.got = null;
    keepNothing(State.DIRECT);
  }

  /** The call has ended without an attempt. */
  void drop() {
    buffer.release();
    keepNothing(State.OVER);
  }

  private void keepNothing(State next) {
    buffer.clear();
    state = next;
  }

  /** Whether the request was too large to be kept. */
  boolean isOverflowed() {
    return overflowed;
  }
}
