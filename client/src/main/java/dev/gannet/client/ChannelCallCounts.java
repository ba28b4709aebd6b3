package dev.gannet.client;

import org.jspecify.annotations.Nullable;

/** Numbers of calls. Immutable; only created by Gannet. */
public final class ChannelCallCounts {
  /** The values. */
  record Values(
      long started,
      long refused,
      long succeeded,
      long failed,
      long transparentRetries,
      long retries,
      long hedges,
      long delayedPicks,
      long failedPicks) {}

  private final Values values;

  ChannelCallCounts(Values values) {
    this.values = values;
  }

  /** Calls that were started, including the {@link #refused} ones. */
  public long started() {
    return values.started;
  }

  /**
   * Calls that ended as they were started, without an attempt: the channel is shut down, their
   * deadline had passed, or they had been cancelled before. {@link #failed} includes them.
   */
  public long refused() {
    return values.refused;
  }

  /**
   * Calls that their servers ended with OK. The caller may get another status all the same, if the
   * response cannot be parsed, or is not read before the deadline: tracers see what it gets.
   */
  public long succeeded() {
    return values.succeeded;
  }

  /** Calls that ended with another status; the rest is still running. */
  public long failed() {
    return values.failed;
  }

  /** Attempts that followed one that its server had not processed. */
  public long transparentRetries() {
    return values.transparentRetries;
  }

  /** Attempts that a retry policy started after a failed attempt. */
  public long retries() {
    return values.retries;
  }

  /** Attempts that a hedging policy started in addition to the first one. */
  public long hedges() {
    return values.hedges;
  }

  /** How often an attempt had to wait for a connection, or for room on any of several. */
  public long delayedPicks() {
    return values.delayedPicks;
  }

  /** How often the load-balancing policy failed an attempt at once. */
  public long failedPicks() {
    return values.failedPicks;
  }

  /**
   * How many attempts all these calls have had; {@link #refused} ones have none.
   *
   * <p>A connection is picked for each attempt, so this is also the number of picks; picks that are
   * repeated after an attempt has waited are not counted. Of these, {@link #delayedPicks} had to
   * wait, and {@link #failedPicks} failed. An attempt whose call ends before its pick, or is
   * dropped by it, counts here alone.
   */
  public long attempts() {
    return started() - refused() + transparentRetries() + retries() + hedges();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChannelCallCounts that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "ChannelCallCounts" + values.toString().substring("Values".length());
  }
}
