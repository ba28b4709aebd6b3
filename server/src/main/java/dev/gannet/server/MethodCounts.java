package dev.gannet.server;

import dev.gannet.api.Status;
import java.util.Map;

/**
 * How many calls of one method there were, and what they carried.
 *
 * @param started those that have begun
 * @param ended those that have ended, by code: that of the answer where the answer was handed to
 *     the network, and otherwise that of what cut the call off. Codes that no call has ended with
 *     are not there
 * @param receivedBytes the bytes of their request messages on the network, compressed where they
 *     were, without what frames them; 0 for objects that were handed over within the process
 * @param sentBytes likewise of their responses
 */
public record MethodCounts(
    long started, Map<Status.Code, Long> ended, long receivedBytes, long sentBytes) {
  /** How many have ended with that code. */
  public long ended(Status.Code code) {
    return ended.getOrDefault(code, 0L);
  }

  /** The number of running calls. */
  public long underWay() {
    return started - ended.values().stream().mapToLong(Long::longValue).sum();
  }
}
