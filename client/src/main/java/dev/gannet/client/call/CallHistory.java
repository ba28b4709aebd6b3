package dev.gannet.client.call;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/**
 * What has delayed a call so far: waiting, and failed attempts. Only calls that have waited or were
 * retried have one. Immutable.
 *
 * @param waits empty if it has not waited
 * @param attempts those that have failed: the first ones, and the last
 * @param omittedAttempts how many others have failed before the last
 */
record CallHistory(
    Optional<WaitedTime> waits, List<CallFailure.Attempt> attempts, int omittedAttempts) {
  static final CallHistory NONE = new CallHistory(Optional.empty(), List.of(), 0);

  /** More are only counted; there are few retries. */
  private static final int MAX_ATTEMPTS = 32;

  CallHistory {
    attempts = List.copyOf(attempts);
  }

  /**
   * After a wait that ends now.
   *
   * @param ofResolver how much of the time between two instants was spent on finding addresses
   */
  CallHistory waited(long sinceNanos, long nowNanos, LongBinaryOperator ofResolver) {
    WaitedTime more =
        waits.isPresent()
            ? waits.get().and(sinceNanos, nowNanos, ofResolver)
            : WaitedTime.first(sinceNanos, nowNanos, ofResolver);
    return new CallHistory(Optional.of(more), attempts, omittedAttempts);
  }

  /** After an attempt that has failed. */
  CallHistory failed(Status status) {
    List<CallFailure.Attempt> all = new ArrayList<>(attempts);
    boolean full = all.size() == MAX_ATTEMPTS;
    if (full) {
      all.removeLast();
    }
    all.add(attempt(status));
    return new CallHistory(waits, all, full ? omittedAttempts + 1 : omittedAttempts);
  }

  /**
   * The details that the connection knows about an attempt; without a connection, only the status.
   */
  private static CallFailure.Attempt attempt(Status status) {
    return status
        .failure()
        .filter(it -> !it.attempts().isEmpty())
        .map(it -> it.attempts().getLast())
        .orElseGet(() -> CallFailure.Attempt.of(status));
  }

  /**
   * The details of a call that ends with this status.
   *
   * @param ofAttempt whether an attempt has ended with it; otherwise none was running
   * @param addresses those that the channel cannot reach
   * @param totalNanos how long it has taken, if known
   */
  CallFailure failure(
      Status end,
      boolean ofAttempt,
      String target,
      List<CallFailure.AddressFailure> addresses,
      Optional<Long> totalNanos) {
    CallHistory all = ofAttempt || attempts.isEmpty() ? failed(end) : this;
    CallFailure.Attempt last = attempt(end);
    CallFailure failure =
        CallFailure.of(last)
            .withAttempts(all.attempts)
            .withOmittedAttempts(all.omittedAttempts)
            .withTarget(target)
            .withAddresses(addresses)
            .withInResolver(Duration.ofNanos(resolverNanos()))
            .withInQueue(Duration.ofNanos(queueNanos()));
    return last.server().isPresent() && totalNanos.isPresent()
        ? failure.withOnWire(Duration.ofNanos(nanosOnWire(totalNanos.get())))
        : failure;
  }

  private long nanosOnWire(long totalNanos) {
    return Math.max(0, totalNanos - resolverNanos() - queueNanos());
  }

  private long resolverNanos() {
    return waits.map(WaitedTime::resolverNanos).orElse(0L);
  }

  private long queueNanos() {
    return waits.map(WaitedTime::queueNanos).orElse(0L);
  }
}
