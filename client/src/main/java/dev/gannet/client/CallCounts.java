package dev.gannet.client;

/**
 * Numbers of calls.
 *
 * @param started calls that were started, including those refused because the channel is shut down
 * @param succeeded calls that ended with OK
 * @param failed calls that ended with another status; the rest is still running
 * @param transparentRetries attempts that followed one that its server had not processed
 * @param queued how often an attempt had to wait for a connection or a stream
 * @param failedPicks how often the load-balancing policy failed an attempt at once
 */
public record CallCounts(
    long started,
    long succeeded,
    long failed,
    long transparentRetries,
    long queued,
    long failedPicks) {}
