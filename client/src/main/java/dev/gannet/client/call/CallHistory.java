package dev.gannet.client.call;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has delayed a call so far: waiting, and failed attempts. Only calls that have waited or were
 * retried have one. Immutable.
 *
 * @param resolverNanos how long it has waited for addresses
 * @param queueNanos how long it has waited for a connection or a stream in addition to that
 */
record CallHistory(long resolverNanos, long queueNanos, List<CallFailure.Attempt> attempts) {
  static final CallHistory NONE = new CallHistory(0, 0, List.of());

  /** More are not stored; there are few retries. */
  private static final int MAX_ATTEMPTS = 32;

  CallHistory {
    attempts = List.copyOf(attempts);
  }

  /** After waiting, of which the first part was for the resolver. */
  CallHistory waited(long ofResolverNanos, long nanos) {
    return new CallHistory(
        resolverNanos + ofResolverNanos, queueNanos + nanos - ofResolverNanos, attempts);
  }

  /** After an attempt that is followed by another one. */
  CallHistory failed(Status status) {
    if (attempts.size() >= MAX_ATTEMPTS) {
      return this;
    }
    List<CallFailure.Attempt> more = new ArrayList<>(attempts);
    more.add(attempt(status));
    return new CallHistory(resolverNanos, queueNanos, more);
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
    CallFailure.Attempt last = attempt(end);
    List<CallFailure.Attempt> all = new ArrayList<>(attempts);
    if (ofAttempt || all.isEmpty()) {
      all.add(last);
    }
    CallFailure failure =
        CallFailure.of(last)
            .withAttempts(all)
            .withTarget(target)
            .withAddresses(addresses)
            .withTimeInResolver(Duration.ofNanos(resolverNanos))
            .withTimeInQueue(Duration.ofNanos(queueNanos));
    return last.server().isPresent() && totalNanos.isPresent()
        ? failure.withTimeOnWire(Duration.ofNanos(nanosOnWire(totalNanos.get())))
        : failure;
  }

  private long nanosOnWire(long totalNanos) {
    return Math.max(0, totalNanos - resolverNanos - queueNanos);
  }
}
