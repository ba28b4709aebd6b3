package dev.gannet.server;

import dev.gannet.api.Status;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of one method, one connection or one server: how many wait for their handler,
 * and with which status they end. For all threads.
 */
final class CallCounter {
  private static final Status.Code[] CODES = Status.Code.values();

  private final LongAdder started = new LongAdder();
  private final LongAdder queued = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder ok = new LongAdder(); // the one that calls of all connections end with
  private final AtomicLongArray others = new AtomicLongArray(CODES.length);
  private volatile long lastStartedMillis;

  void start(long nowMillis) {
    started.increment();
    queued.increment();
    lastStartedMillis = nowMillis;
  }

  /** The handler of a call starts, or never will; once per call, before its end. */
  void leaveQueue() {
    queued.decrement();
  }

  void send(int bytes) {
    sentBytes.add(bytes);
  }

  void receive(int bytes) {
    receivedBytes.add(bytes);
  }

  /** A call has ended, and its response with this code was written to the network. */
  void answer(Status.Code code) {
    end(code);
    answered.increment();
  }

  /** A call has ended with this code before its response was written. */
  void cutOff(Status.Code code) {
    end(code);
  }

  private void end(Status.Code code) {
    if (code == Status.Code.OK) {
      ok.increment();
    } else {
      others.incrementAndGet(code.value());
    }
  }

  /**
   * Answered calls are read first and started ones last, so that there are never more answered than
   * ended ones, and never more ended than started ones.
   */
  CallCounts counts() {
    long written = answered.sum();
    Map<Status.Code, Long> ended = new EnumMap<>(Status.Code.class);
    for (Status.Code code : CODES) {
      long count = code == Status.Code.OK ? ok.sum() : others.get(code.value());
      if (count > 0) {
        ended.put(code, count);
      }
    }
    return new CallCounts(
        new CallCounts.Values(
            started.sum(),
            Math.max(0, queued.sum()), // the sum of several threads' numbers is not exact
            written,
            Collections.unmodifiableMap(ended),
            receivedBytes.sum(),
            sentBytes.sum(),
            instant(lastStartedMillis)));
  }

  /** A time; empty if it is 0. */
  static Optional<Instant> instant(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
