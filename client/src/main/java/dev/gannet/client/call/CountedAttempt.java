package dev.gannet.client.call;

import dev.gannet.api.MethodType;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that a call's policy counts, with the transparent retries that replace it. Its fields
 * are guarded by its call's lock, except where they say otherwise.
 */
final class CountedAttempt<Q, R> {
  /** The first attempt. Everything is sent to it; if the call has left it, its stream forwards. */
  final Attempt<Q, R> first;

  /** The data with which it begins. */
  final CallStart<Q, R> start;

  /** The attempt that runs now. Written under the lock, read by all. */
  volatile Attempt<Q, R> current;

  /** How it reads the request of the call. */
  final RequestBuffer.Reader<Q> reader = new RequestBuffer.Reader<>();

  private Scheduler.@Nullable Cancellable receiveTimer;

  CountedAttempt(Attempt<Q, R> first, CallStart<Q, R> start) {
    this.first = first;
    this.start = start;
    this.current = first;
  }

  void watch(Scheduler.Cancellable timer) {
    receiveTimer = timer;
  }

  void unwatch() {
    if (receiveTimer != null) {
      receiveTimer.cancel();
      receiveTimer = null;
    }
  }

  /** Sends the next part of the request. On one thread at a time, without the lock. */
  void send(RequestBuffer.Entry<Q> next) {
    Q message = next.message();
    if (message != null) {
      send(message, next.isCompressed());
    }
    if (next.ends()) {
      halfClose();
    }
  }

  /** Sends the call's next message. On one thread at a time, without the lock. */
  void send(Q message, boolean compressed) {
    first.sendMessage(message, compressed);
    if (!type().clientSendsOneMessage()) {
      first.sendFlush();
    }
  }

  /** Ends the requests. On one thread at a time, without the lock. */
  void halfClose() {
    first.sendHalfClose();
    first.sendFlush();
  }

  private MethodType type() {
    return start.method().type();
  }
}
