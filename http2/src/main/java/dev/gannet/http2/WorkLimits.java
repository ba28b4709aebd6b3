package dev.gannet.http2;

/**
 * How much a peer has done for it before others have their turn, and how many answers it may leave
 * unread.
 *
 * @param framesPerPass the most frames that are looked at in one pass of the event loop, which is
 *     all that is read before its peer is answered; but for DATA of 8 KiB and more, of which what
 *     is read at once is never many. A frame counts as one more for each 512 octets of a header
 *     block, and for each 8 streams whose windows it moves
 * @param streamsPerPass the most streams that are opened in one pass
 * @param repliesBeforePause how many answers may wait on a wire that takes no more before nothing
 *     is read any more
 * @param repliesBeforeClose how many such answers cost the connection; four times the streams that
 *     may be open, if that is more, for handlers may all answer at once
 */
public record WorkLimits(
    int framesPerPass, int streamsPerPass, int repliesBeforePause, int repliesBeforeClose) {
  public static final WorkLimits DEFAULT = new WorkLimits(64, 32, 128, 1000);

  /**
   * Checks each bound.
   *
   * @throws IllegalArgumentException if a bound is not positive
   */
  public WorkLimits {
    Range.check("framesPerPass", framesPerPass, 1, Integer.MAX_VALUE);
    Range.check("streamsPerPass", streamsPerPass, 1, Integer.MAX_VALUE);
    Range.check("repliesBeforePause", repliesBeforePause, 1, Integer.MAX_VALUE);
    Range.check("repliesBeforeClose", repliesBeforeClose, repliesBeforePause, Integer.MAX_VALUE);
  }

  /** These limits with another number of frames in a pass. */
  public WorkLimits withFramesPerPass(int frames) {
    return new WorkLimits(frames, streamsPerPass, repliesBeforePause, repliesBeforeClose);
  }

  /** These limits with another number of new streams in a pass. */
  public WorkLimits withStreamsPerPass(int streams) {
    return new WorkLimits(framesPerPass, streams, repliesBeforePause, repliesBeforeClose);
  }

  /** These limits with other numbers of answers that may wait. */
  public WorkLimits withReplies(int beforePause, int beforeClose) {
    return new WorkLimits(framesPerPass, streamsPerPass, beforePause, beforeClose);
  }
}
