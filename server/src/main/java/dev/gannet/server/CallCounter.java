package dev.gannet.server;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls as they begin and end. For all threads. */
final class CallCounter {
  private final LongAdder started = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile long lastStartedMillis;

  void start(long nowMillis) {
    started.increment();
    lastStartedMillis = nowMillis;
  }

  void end(boolean well) {
    (well ? succeeded : failed).increment();
  }

  /** Ended calls are read first, so that they are never more than started ones. */
  CallCounts counts() {
    long well = succeeded.sum();
    long badly = failed.sum();
    return new CallCounts(
        new CallCounts.Values(started.sum(), well, badly, instant(lastStartedMillis)));
  }

  /** A time; empty if it is 0. */
  static Optional<Instant> instant(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
