package dev.gannet.http2.connection;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;

/**
 * What the peer may send in reaction to what this side has sent, and which therefore is no offence.
 *
 * @param lateFrames what may be on its way to streams that were reset
 * @param resets RST_STREAM
 * @param updates WINDOW_UPDATE
 */
record PeerCredit(ResetMemory lateFrames, ResetAllowance resets, UpdateAllowance updates) {
  static PeerCredit of(Role role, Limits limits) {
    return new PeerCredit(
        new ResetMemory(role == Role.SERVER ? limits.maxConcurrentStreams() : 0),
        new ResetAllowance(),
        new UpdateAllowance());
  }

  /** A stream was opened, by either side. */
  void onStream() {
    updates.onStream();
    resets.earn();
  }
}
