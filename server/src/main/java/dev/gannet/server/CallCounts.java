package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How many calls of one method, one connection or one server there were, and what they carried.
 * Immutable; only created by Gannet.
 */
public final class CallCounts {
  private final CallCounter.Values values;

  CallCounts(CallCounter.Values values) {
    this.values = values;
  }

  /** Calls that have started. */
  public long started() {
    return values.started();
  }

  /**
   * Calls that have ended, by code: the code of the response if it was written to the network, or
   * else the code of what ended the call early. Codes with which no call has ended are missing.
   */
  public Map<Status.Code, Long> ended() {
    return values.ended();
  }

  /** How many have ended with that code. */
  public long ended(Status.Code code) {
    return ended().getOrDefault(code, 0L);
  }

  /** How many have ended, with any code. */
  public long allEnded() {
    return ended().values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The ended calls whose response was written to the network, with any status. The others ended
   * early: they were cancelled, or their connection was lost.
   */
  public long answered() {
    return values.answered();
  }

  /**
   * Running calls whose handler has not started yet: their request is not complete, or they wait
   * for a thread or for their executor.
   */
  public long queued() {
    return values.queued();
  }

  /** The number of running calls, including queued ones. */
  public long underWay() {
    return started() - allEnded();
  }

  /**
   * The bytes of their request messages on the network, after compression and without framing; 0
   * for objects that were passed within the process.
   */
  public long receivedBytes() {
    return values.receivedBytes();
  }

  /** The bytes of their response messages, counted like {@link #receivedBytes}. */
  public long sentBytes() {
    return values.sentBytes();
  }

  /** When the last one started; empty if there was none. */
  public Optional<Instant> lastStarted() {
    return values.lastStarted();
  }

  @Override
  public String toString() {
    return "CallCounts" + values.toString().substring("Values".length());
  }
}
