package dev.gannet.server;

import java.time.Instant;
import java.util.Optional;

/** Numbers of calls. Immutable; only created by Gannet. */
public final class CallCounts {
  /** The values. */
  record Values(long started, long succeeded, long failed, Optional<Instant> lastStarted) {}

  private final Values values;

  CallCounts(Values values) {
    this.values = values;
  }

  /** Calls that have started. */
  public long started() {
    return values.started;
  }

  /** Calls that have ended successfully. */
  public long succeeded() {
    return values.succeeded;
  }

  /** Calls that have ended in another way; the rest is still running. */
  public long failed() {
    return values.failed;
  }

  /** When the last one started; empty if there was none. */
  public Optional<Instant> lastStarted() {
    return values.lastStarted;
  }

  @Override
  public String toString() {
    return "CallCounts" + values.toString().substring("Values".length());
  }
}
