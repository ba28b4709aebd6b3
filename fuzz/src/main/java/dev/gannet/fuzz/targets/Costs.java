package dev.gannet.fuzz.targets;

/**
 * What one input may make a whole connection allocate, the simulated network and this peer
 * included: four times the limits, and for each byte, frame, call and message so much.
 */
final class Costs {
  /** Both engines of a connection, its network, and what is kept of a stopped one. */
  private static final long FIXED_BYTES = 512 << 10;

  private static final long COST_OF_BYTE = 512;
  private static final long COST_OF_FRAME = 2 << 10;
  private static final long COST_OF_CALL = 16 << 10;

  private long maxBytes;

  /** Counts what was played. */
  void count(RawPeer peer, int calls, long messageBytes) {
    maxBytes =
        FIXED_BYTES
            + COST_OF_BYTE * peer.saidBytes()
            + COST_OF_BYTE * peer.heardBytes()
            + COST_OF_FRAME * peer.audit().frames()
            + COST_OF_CALL * calls
            + 4 * messageBytes;
  }

  long maxBytes() {
    return maxBytes;
  }
}
