package dev.gannet.http2.connection;

/**
 * How many RST_STREAMs a peer may send on streams that are over, as each may have crossed what
 * ended its stream. So each stream earns one; of a server each DATA of ours one more, as servers
 * reset an ended stream once for each. They do not expire: each has cost the peer a stream.
 */
final class ResetAllowance {
  private long left;

  /** A stream was opened, by whichever side, or a client sent DATA. */
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
