package dev.gannet.transport;

import dev.gannet.http2.Limits;

/**
 * What an engine lets one peer have on one connection; the limits of HTTP/2 itself follow from it.
 *
 * @param maxConcurrentCalls the most calls that a client may have under way at once on a connection
 * @param maxInboundMetadataBytes the largest header list taken, counted as RFC 9113 §6.5.2 says
 * @param memory what it shares with other connections
 */
public record ConnectionLimits(
    int maxConcurrentCalls, int maxInboundMetadataBytes, MemoryBudget memory) {
  /** 256 calls, 8 KiB of metadata, and the budget of the process. */
  public static final ConnectionLimits DEFAULT =
      new ConnectionLimits(
          Limits.DEFAULT.maxConcurrentStreams(),
          Limits.DEFAULT.maxHeaderListBytes(),
          MemoryBudget.ofProcess());

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is not positive
   */
  public ConnectionLimits {
    if (maxConcurrentCalls <= 0 || maxInboundMetadataBytes <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /** The same with another number of calls. */
  public ConnectionLimits withMaxConcurrentCalls(int calls) {
    return new ConnectionLimits(calls, maxInboundMetadataBytes, memory);
  }

  /** The same with another size of metadata. */
  public ConnectionLimits withMaxInboundMetadataBytes(int bytes) {
    return new ConnectionLimits(maxConcurrentCalls, bytes, memory);
  }

  /** The same with another budget. */
  public ConnectionLimits withMemory(MemoryBudget budget) {
    return new ConnectionLimits(maxConcurrentCalls, maxInboundMetadataBytes, budget);
  }

  /** As limits of HTTP/2. */
  public Limits ofHttp2() {
    return Limits.DEFAULT
        .withMaxConcurrentStreams(maxConcurrentCalls)
        .withMaxHeaderListBytes(maxInboundMetadataBytes);
  }
}
