package dev.gannet.http2;

/**
 * How much work a peer may cause before other connections have their turn, and how many answers it
 * may leave unread.
 *
 * @param framesPerPass the most frames that are processed in one pass of the event loop, after
 *     which the peer is answered; after each 64 of them, the pass goes on only if it was short.
 *     DATA frames of 8 KiB or more do not count, because what is read at once contains few of them.
 *     A frame counts as one more for each 512 bytes of a header block, and for each 8 streams whose
 *     windows it changes
 * @param streamsPerPass the most streams that are opened in one pass
 * @param repliesBeforePause how many unsent answers may wait before this side stops reading
 * @param repliesBeforeClose how many unsent answers close the connection; or four times the streams
 *     that may be open, if that is more, because all handlers may answer at once
 */
public record WorkLimits(
    int framesPerPass, int streamsPerPass, int repliesBeforePause, int repliesBeforeClose) {
  public static final WorkLimits DEFAULT = new WorkLimits(512, 32, 128, 1000);

  /**
   * Checks each limit.
   *
   * @throws IllegalArgumentException if a limit is not positive
   */
  public WorkLimits {
    Range.check("framesPerPass", framesPerPass, 1, Integer.MAX_VALUE);
    Range.check("streamsPerPass", streamsPerPass, 1, Integer.MAX_VALUE);
    Range.check("repliesBeforePause", repliesBeforePause, 1, Integer.MAX_VALUE);
    Range.check("repliesBeforeClose", repliesBeforeClose, repliesBeforePause, Integer.MAX_VALUE);
  }
}
