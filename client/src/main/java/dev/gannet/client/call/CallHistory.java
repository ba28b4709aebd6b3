package dev.gannet.client.call;

import dev.gannet.api.CallFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /** After a wait that ends now. */
  CallHistory waited(long sinceNanos, long nowNanos, WaitedTime.Purpose purpose) {
    WaitedTime more =
        waits.isPresent()
            ? waits.get().and(sinceNanos, nowNanos, purpose)
            : WaitedTime.first(sinceNanos, nowNanos, purpose);
    return new CallHistory(Optional.of(more), attempts, omittedAttempts);
  }

  /** After an attempt that has failed. */
  CallHistory failed(CallFailure.Attempt attempt) {
    List<CallFailure.Attempt> all = new ArrayList<>(attempts);
    boolean full = all.size() == MAX_ATTEMPTS;
    if (full) {
      all.removeLast();
    }
    all.add(attempt);
    return new CallHistory(waits, all, full ? omittedAttempts + 1 : omittedAttempts);
  }

  /**
   * The details of a call that ends.
   *
   * @param end with what it ends
   * @param ofAttempt whether that is the end of an attempt; otherwise none was running
   * @param backoffNanos how long none was running before
   * @param totalNanos how long it has taken
   */
  CallFailure failure(
      CallFailure.Attempt end, boolean ofAttempt, long backoffNanos, long totalNanos) {
    CallHistory all = ofAttempt || attempts.isEmpty() ? failed(end) : this;
    WaitedTime.Times waited = waits.map(WaitedTime::times).orElse(WaitedTime.Times.NONE);
    CallFailure failure =
        CallFailure.of(end)
            .withAttempts(all.attempts)
            .withOmittedAttempts(all.omittedAttempts)
            .withInResolver(Duration.ofNanos(waited.resolverNanos()))
            .withInQueue(Duration.ofNanos(waited.queueNanos()))
            .withInCredentials(Duration.ofNanos(waited.credentialsNanos()))
            .withInBackoff(Duration.ofNanos(backoffNanos));
    if (!all.hadServer()) {
      return failure;
    }
    long onWire = totalNanos - waited.sumNanos() - backoffNanos;
    return failure.withOnWire(Duration.ofNanos(Math.max(0, onWire)));
  }

  private boolean hadServer() {
    return attempts.stream().anyMatch(it -> it.server().isPresent());
  }
}
