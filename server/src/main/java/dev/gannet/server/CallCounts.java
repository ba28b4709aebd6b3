package dev.gannet.server;

import java.time.Instant;
import java.util.Optional;

/**
 * Numbers of calls.
 *
 * @param started calls that have started
 * @param succeeded calls that have ended successfully
 * @param failed calls that have ended in another way; the rest is still running
 * @param lastStarted when the last one started; empty if there was none
 */
public record CallCounts(
    long started, long succeeded, long failed, Optional<Instant> lastStarted) {}
