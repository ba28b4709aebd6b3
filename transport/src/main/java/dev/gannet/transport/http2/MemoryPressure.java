package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.memory.MemoryLimiter;

/**
 * Whether the memory of the process is short, as one connection has noticed it at the end of its
 * last batch. Then HTTP/2 lets less arrive. Confined to the connection's loop.
 */
final class MemoryPressure {
  private final MemoryLimiter budget;
  private final Http2Connection connection;
  private final CallMemory calls;
  private boolean scarce;

  MemoryPressure(MemoryLimiter budget, Http2Connection connection, CallMemory calls) {
    this.budget = budget;
    this.connection = connection;
    this.calls = calls;
  }

  /** Whether memory was short at the last batch. */
  boolean isScarce() {
    return scarce;
  }

  /**
   * Whether memory is short, and the peer has begun something that it should complete.
   *
   * @param heldBytes what calls hold of the data that arrived
   */
  boolean isScarceFor(long heldBytes) {
    return scarce && (heldBytes > 0 || calls.hasUnfinishedCalls());
  }

  /** At the end of a batch. */
  void settle() {
    if (scarce != budget.isScarce()) {
      scarce = !scarce;
      connection.squeeze(scarce);
    }
  }
}
