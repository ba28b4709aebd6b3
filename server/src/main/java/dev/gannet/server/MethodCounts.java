package dev.gannet.server;

import dev.gannet.api.Status;
import java.util.Map;

/**
 * How many calls of one method or one connection there were, and what they carried. Immutable; only
 * created by Gannet.
 */
public final class MethodCounts {
  /** The values. */
  record Values(
      long started,
      long queued,
      Map<Status.Code, Long> ended,
      long receivedBytes,
      long sentBytes) {}

  private final Values values;

  MethodCounts(Values values) {
    this.values = values;
  }

  /** Calls that have started. */
  public long started() {
    return values.started;
  }

  /**
   * Calls that have ended, by code: that of the response if it was written to the network, and
   * otherwise that of what ended the call early. Codes that no call has ended with are missing.
   */
  public Map<Status.Code, Long> ended() {
    return values.ended;
  }

  /**
   * The bytes of their request messages on the network, after compression and without framing; 0
   * for objects that were passed within the process.
   */
  public long receivedBytes() {
    return values.receivedBytes;
  }

  /** The bytes of their response messages, counted like {@link #receivedBytes}. */
  public long sentBytes() {
    return values.sentBytes;
  }

  /** How many have ended with that code. */
  public long ended(Status.Code code) {
    return ended().getOrDefault(code, 0L);
  }

  /**
   * Running calls whose handler has not started yet: their request is not complete, or they wait
   * for a thread or for their executor.
   */
  public long queued() {
    return values.queued;
  }

  /** The number of running calls, including queued ones. */
  public long underWay() {
    return started() - ended().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public String toString() {
    return "MethodCounts" + values.toString().substring("Values".length());
  }
}
