package dev.gannet.server;

import dev.gannet.api.Status;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of one method or one connection: how many wait for their handler, and with which
 * status they end. For all threads.
 */
final class StatusCounter {
  private static final Status.Code[] CODES = Status.Code.values();

  private final LongAdder started = new LongAdder();
  private final LongAdder queued = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder ok = new LongAdder(); // the one that calls of all connections end with
  private final AtomicLongArray others = new AtomicLongArray(CODES.length);

  void start() {
    started.increment();
    queued.increment();
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

  void end(Status.Code code) {
    if (code == Status.Code.OK) {
      ok.increment();
    } else {
      others.incrementAndGet(code.value());
    }
  }

  /** Ended calls are read first, so that they are never more than started ones. */
  MethodCounts counts() {
    Map<Status.Code, Long> ended = new EnumMap<>(Status.Code.class);
    for (Status.Code code : CODES) {
      long count = code == Status.Code.OK ? ok.sum() : others.get(code.value());
      if (count > 0) {
        ended.put(code, count);
      }
    }
    return new MethodCounts(
        new MethodCounts.Values(
            started.sum(),
            Math.max(0, queued.sum()), // the sum of several threads' numbers is not exact
            Collections.unmodifiableMap(ended),
            receivedBytes.sum(),
            sentBytes.sum()));
  }
}
