package dev.gannet.client;

/**
 * Numbers of calls.
 *
 * @param started calls that were started, including those refused because the channel is shut down
 * @param succeeded calls that ended with OK
 * @param failed calls that ended with another status; the rest is still running
 * @param transparentRetries attempts that followed one that its server had not processed
 * @param retries attempts that followed a failed one by a retry policy
 * @param hedges attempts that began beside or after another one by a hedging policy
 * @param queued how often an attempt had to wait for a connection or a stream
 * @param failedPicks how often the load-balancing policy failed an attempt at once
 */
public record CallCounts(
    long started,
    long succeeded,
    long failed,
    long transparentRetries,
    long retries,
    long hedges,
    long queued,
    long failedPicks) {
  /** How many attempts all these calls have had; each of them is picked a connection for. */
  public long attempts() {
    return started + transparentRetries + retries + hedges;
  }
}
