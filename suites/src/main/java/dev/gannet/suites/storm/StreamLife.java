package dev.gannet.suites.storm;

import dev.gannet.suites.Side;
import java.util.EnumSet;
import java.util.Set;

/** What both ends have said on one stream (RFC 9113 §5.1), in the order in which they said it. */
final class StreamLife {
  private final int streamId;
  private final Set<Side> spoken = EnumSet.noneOf(Side.class);
  private final Set<Side> ended = EnumSet.noneOf(Side.class);
  private final Set<Side> reset = EnumSet.noneOf(Side.class);

  StreamLife(int streamId) {
    this.streamId = streamId;
  }

  /** This end sends HEADERS or DATA. */
  void onSpoken(Side side, int flags) {
    Invariant.holds(
        !ended.contains(side) && !reset.contains(side),
        () -> side + " speaks behind its end of stream " + streamId);
    Invariant.holds(
        side == Side.CLIENT || spoken.contains(Side.CLIENT),
        () -> "the server speaks first on stream " + streamId);
    spoken.add(side);
    if ((flags & FrameScanner.END_STREAM) != 0) {
      ended.add(side);
    }
  }

  void onReset(Side side) {
    Invariant.holds(spoken.contains(Side.CLIENT), () -> side + " resets idle stream " + streamId);
    Invariant.holds(reset.add(side), () -> side + " resets stream " + streamId + " twice");
  }

  void checkEnded() {
    Invariant.holds(
        !reset.isEmpty() || ended.size() == Side.values().length,
        () -> "stream " + streamId + " lives on; ended by " + ended);
  }
}
