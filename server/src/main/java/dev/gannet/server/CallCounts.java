package dev.gannet.server;

import java.time.Instant;
import java.util.Optional;

/**
 * How many calls there were.
 *
 * @param started those that have begun
 * @param succeeded those of them that have ended well
 * @param failed those that have ended in another way; the rest is under way
 * @param lastStarted when the last one began; empty if none did
 */
public record CallCounts(
    long started, long succeeded, long failed, Optional<Instant> lastStarted) {}
