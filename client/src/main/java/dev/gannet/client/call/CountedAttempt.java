package dev.gannet.client.call;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that a call's policy counts, with the transparent retries that replace it. As a reader
 * of the request it is used with its call's lock, as are the methods that say so; all others by any
 * thread without it.
 */
final class CountedAttempt<Q, R> extends RequestBuffer.Reader<Q> {
  static final Status NOT_NEEDED =
      Status.CANCELLED.withDescription("another attempt of the call continues");

  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");

  /** The first attempt. Everything is sent to it; if the call has left it, its stream forwards. */
  private final Attempt<Q, R> first;

  private final CallStart<Q, R> start;

  /**
   * What runs in place of the first attempt: a transparent retry. Null, and not written, in most
   * calls, because a volatile write costs a fence. Written under the lock, read by all.
   */
  private volatile @Nullable Attempt<Q, R> later;

  private static final AtomicReferenceFieldUpdater<CountedAttempt<?, ?>, @Nullable AttemptTimer>
      RECEIVE_TIMER = updater();

  /** The response does not have to begin any more. */
  private static final AttemptTimer NO_LONGER = new AttemptTimer(0, fired -> {});

  /**
   * Limits how long the response may take to begin. Null before it is set, and if there is no
   * limit; NO_LONGER, for good, once the response has begun, is late, or is not wanted.
   */
  private volatile @Nullable AttemptTimer receiveTimer;

  /** The headers of its call credentials, which never change them; null if there are none. */
  private volatile @Nullable Metadata authorization;

  /**
   * An attempt that is about to begin.
   *
   * @param start the start of its call
   */
  CountedAttempt(Attempt<Q, R> first, CallStart<Q, R> start) {
    this.first = first;
    this.start = numbered(start, first);
  }

  /** What an attempt starts with: it tells the server how many there were before it. */
  static <Q, R> CallStart<Q, R> numbered(CallStart<Q, R> start, Attempt<Q, R> attempt) {
    if (attempt.previousAttempts() == 0) {
      return start;
    }
    Metadata headers = start.headers().copy();
    headers.set(PREVIOUS_ATTEMPTS, Integer.toString(attempt.previousAttempts()));
    return start.withHeaders(headers);
  }

  /** The data with which it begins. */
  CallStart<Q, R> callStart() {
    return start;
  }

  /** Whether it is the first of its call. */
  boolean isFirst() {
    return first.previousAttempts() == 0;
  }

  /** The attempt that runs now. */
  Attempt<Q, R> current() {
    Attempt<Q, R> moved = later;
    return moved == null ? first : moved;
  }

  /** Another attempt replaces the current one: a transparent retry. With the lock. */
  void continueWith(Attempt<Q, R> next) {
    later = next;
  }

  /** The response has to begin before the timer fires, unless this returns false. */
  boolean watch(AttemptTimer timer) {
    return RECEIVE_TIMER.compareAndSet(this, null, timer);
  }

  /** The response has begun, or the attempt has ended, or its response is not wanted. */
  void unwatch() {
    if (receiveTimer != NO_LONGER) {
      AttemptTimer before = RECEIVE_TIMER.getAndSet(this, NO_LONGER);
      if (before != null) {
        before.cancel();
      }
    }
  }

  /** The timer has fired; returns whether the response is late, and not about to begin. */
  boolean timeOut() {
    return RECEIVE_TIMER.getAndSet(this, NO_LONGER) != NO_LONGER;
  }

  /** The call credentials have provided these headers. */
  void onAuthorized(Metadata headers) {
    authorization = headers;
  }

  /** The headers of its call credentials; empty if there are none. */
  Metadata authorization() {
    Metadata headers = authorization;
    return headers == null ? EmptyMetadata.SHARED : headers;
  }

  /** Whether its stream accepts messages without delay. */
  boolean isReady() {
    ClientStream<Q> stream = current().stream();
    return stream != null && stream.isReady();
  }

  /** Ends it, in whatever state it is. */
  void end(Status why) {
    current().end(why);
  }

  /** Lets the headers go before the first message, if there may be several messages. */
  void sendHeaders() {
    if (!type().clientSendsOneMessage()) {
      first.sendFlush();
    }
  }

  /** Sends the next part of the request. On one thread at a time. */
  void send(RequestBuffer.Entry<Q> next) {
    Q message = next.message();
    if (message != null) {
      send(message, next.isCompressed());
    }
    if (next.ends()) {
      halfClose();
    }
  }

  /** Sends the call's next message. On one thread at a time. */
  void send(Q message, boolean compressed) {
    first.sendMessage(message, compressed);
    if (!type().clientSendsOneMessage()) {
      first.sendFlush();
    }
  }

  /** Ends the requests. On one thread at a time. */
  void halfClose() {
    first.sendHalfClose();
    first.sendFlush();
  }

  private MethodType type() {
    return start.method().type();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<CountedAttempt<?, ?>, @Nullable AttemptTimer>
      updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(
            CountedAttempt.class, AttemptTimer.class, "receiveTimer");
  }
}
