package dev.gannet.client.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Sends the request of a {@link RetryingCall} to its attempts. What the caller sends is kept in the
 * {@link RequestBuffer} and passed to every running attempt, in order; an attempt that begins later
 * is sent what it lacks. As soon as the buffer is DIRECT, nothing is kept, and messages go to the
 * chosen attempt.
 *
 * <p>The {@link RetryState} says what is sent to which attempt; here, messages are serialized and
 * the listener is called. {@link #sendMessage}, {@link #sendWhole} and {@link #sendHalfClose}
 * belong to the caller, {@link #sendRest} to any thread: the buffer gives an attempt's part of the
 * request to one thread at a time. All of them throw what has ended the call.
 */
final class AttemptFeeder<Q, R> {
  /** The call whose request is sent. */
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
  private final RetryState<Q, R> state;
  private final Listener<Q, R> listener;

  /** For one call. */
  AttemptFeeder(MethodDescriptor<Q, R> method, RetryState<Q, R> state, Listener<Q, R> listener) {
    this.method = method;
    this.state = state;
    this.listener = listener;
  }

  /** The caller's next message. */
  void sendMessage(Q message, boolean compressed) {
    CountedAttempt<Q, R> attempt = state.direct();
    if (attempt != null) {
      attempt.send(message, compressed);
    } else {
      offer(Entry.message(message, compressed));
    }
  }

  /** The caller's only message, and its half-close. */
  void sendWhole(Q message, boolean compressed) {
    CountedAttempt<Q, R> attempt = state.direct();
    if (attempt != null) {
      attempt.send(message, compressed);
      attempt.halfClose();
    } else {
      offer(Entry.whole(message, compressed));
    }
  }

  /** The caller's half-close. */
  void sendHalfClose() {
    CountedAttempt<Q, R> attempt = state.direct();
    if (attempt != null) {
      attempt.halfClose();
    } else {
      offer(Entry.end());
    }
  }

  private void offer(Entry<Q> entry) {
    Q message = entry.message();
    int sizeBytes = message == null ? 0 : method.requestMarshaller().sizeBytes(message);
    Feeding<Q, R> next = state.offer(entry, sizeBytes);
    while (next instanceof Feeding.Commit<Q, R> full) { // again if that attempt has failed
      listener.onOverflow(full.farthest());
      next = state.offer(entry, sizeBytes);
    }
    if (next instanceof Feeding.Send<Q, R> send) {
      sendFrom(send.attempt(), send.first());
    } else if (next instanceof Feeding.SendRest<Q, R> rest) {
      rest.attempts().forEach(this::sendRest);
    } else {
      listener.onUnsendable(NO_ROOM);
      if (message != null) {
        throw NO_ROOM.asException();
      }
    }
  }

  /** Sends the attempt what it has not got of the request, unless another thread is doing so. */
  void sendRest(CountedAttempt<Q, R> attempt) {
    sendFrom(attempt, state.claim(attempt));
  }

  private void sendFrom(CountedAttempt<Q, R> attempt, @Nullable Entry<Q> first) {
    try {
      for (Entry<Q> next = first;
          next != null;
          next = next.ends() ? null : state.nextFor(attempt)) {
        attempt.send(next);
      }
    } catch (StatusException e) {
      state.sendNoMoreTo(attempt);
      listener.onUnsendable(e.status());
      throw e;
    } catch (Throwable e) {
      state.sendNoMoreTo(attempt);
      listener.onUnsendable(
          Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }
}
