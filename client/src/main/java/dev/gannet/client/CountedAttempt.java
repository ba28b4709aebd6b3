package dev.gannet.client;

import dev.gannet.api.MethodType;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that a call's policy counts, with the transparent retries that stand in for it. Its
 * fields are guarded by its call's lock, except where they say otherwise.
 */
final class CountedAttempt<Q, R> {
  /** What is sent goes here for good: where the attempt was left, its stream passes it on. */
  final Attempt<Q, R> first;

  /** What it begins with. */
  final CallStart<Q, R> start;

  /** The one that stands for it now. Written under the lock, read by all. */
  volatile Attempt<Q, R> current;

  /** How many messages of the call it has been given. */
  long sentMessages;

  boolean isHalfClosed;

  /** Whether a thread is giving it messages. */
  boolean isSending;

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

  /** Sends the call's next message. On one thread at a time, without the lock. */
  void send(Q message, boolean compressed) {
    first.sendMessage(message, compressed);
    if (!type().clientSendsOneMessage()) {
      first.sendFlush();
    }
  }

  /** Ends the requests, on the first attempt. */
  void halfClose() {
    first.sendHalfClose();
    first.sendFlush();
  }

  private MethodType type() {
    return start.method().type();
  }
}
