package dev.gannet.server;

import dev.gannet.api.Status;
import java.util.Map;

/**
 * Numbers of calls of one method.
 *
 * @param started calls that have started
 * @param ended calls that have ended, by status code: that of the response if it was written to the
 *     network, and otherwise the reason why the call was cut off. Codes without calls are missing
 */
public record MethodCounts(long started, Map<Status.Code, Long> ended) {
  /** The number of calls that have ended with this code. */
  public long ended(Status.Code code) {
    return ended.getOrDefault(code, 0L);
  }

  /** The number of running calls. */
  public long underWay() {
    return started - ended.values().stream().mapToLong(Long::longValue).sum();
  }
}
