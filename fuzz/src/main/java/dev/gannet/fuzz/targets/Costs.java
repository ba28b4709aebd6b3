package dev.gannet.fuzz.targets;

/**
 * How much one input may make a whole connection allocate, including the simulated network and this
 * peer: four times the limits, plus an amount for each byte, frame, call and message.
 */
final class Costs {
  /** Both engines of a connection, its network, and what remains of a stopped one. */
  private static final long FIXED_BYTES = 512 << 10;

  private static final long COST_OF_BYTE = 512;
  private static final long COST_OF_FRAME = 2 << 10;
  private static final long COST_OF_CALL = 16 << 10;

  private long maxBytes;

  /** Counts what the input contains. */
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
