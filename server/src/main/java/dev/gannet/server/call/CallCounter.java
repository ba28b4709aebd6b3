package dev.gannet.server.call;

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
public final class CallCounter {
  private static final Status.Code[] CODES = Status.Code.values();

  private final LongAdder started = new LongAdder();
  private final LongAdder queued = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder ok = new LongAdder(); // the one that calls of all connections end with
  private final AtomicLongArray others = new AtomicLongArray(CODES.length);
  private volatile long lastStartedMillis;

  /** The counts at one moment; {@code CallCounts} says what each is. */
  public record Values(
      long started,
      long queued,
      long answered,
      Map<Status.Code, Long> ended,
      long receivedBytes,
      long sentBytes,
      Optional<Instant> lastStarted) {}

  public void start(long nowMillis) {
    started.increment();
    queued.increment();
    lastStartedMillis = nowMillis;
  }

  /** The handler of a call starts, or never will; once per call, before its end. */
  public void leaveQueue() {
    queued.decrement();
  }

  public void send(int bytes) {
    sentBytes.add(bytes);
  }

  public void receive(int bytes) {
    receivedBytes.add(bytes);
  }

  /** A call has ended, and its response with this code was written to the network. */
  public void answer(Status.Code code) {
    end(code);
    answered.increment();
  }

  /** A call has ended with this code before its response was written. */
  public void cutOff(Status.Code code) {
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
  public Values values() {
    long written = answered.sum();
    Map<Status.Code, Long> ended = new EnumMap<>(Status.Code.class);
    for (Status.Code code : CODES) {
      long count = code == Status.Code.OK ? ok.sum() : others.get(code.value());
      if (count > 0) {
        ended.put(code, count);
      }
    }
    return new Values(
        started.sum(),
        Math.max(0, queued.sum()), // the sum of several threads' numbers is not exact
        written,
        Collections.unmodifiableMap(ended),
        receivedBytes.sum(),
        sentBytes.sum(),
        instant(lastStartedMillis));
  }

  /** A time; empty if it is 0. */
  public static Optional<Instant> instant(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
