package dev.gannet.http2.connection;

/**
 * How many RST_STREAM frames a peer may send on closed streams, because each may have crossed the
 * frame that closed its stream. Each stream earns one; for a server, each DATA frame of this side
 * earns one more, because servers reset an ended stream once for each. They do not expire: each has
 * cost the peer a stream.
 */
final class ResetAllowance {
  private long left;

  /** A stream was opened, by either side, or a client sent DATA. */
  void earn() {
    left++;
  }

  /** Counts a reset by the peer; false if none is left. */
  boolean spend() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
