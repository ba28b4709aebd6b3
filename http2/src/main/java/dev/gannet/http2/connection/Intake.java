package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WorkLimits;

/**
 * How much of what the peer sends is parsed now.
 *
 * <p>A pass is all that is read between the ends of two batches, in however many pieces. It ends
 * when the peer has used its share of frames or new streams; the rest waits until other connections
 * have had theirs. The share of frames grows while the driver finds that the pass is short. A frame
 * that causes the work of several counts as several: a long piece of a header block, or SETTINGS
 * that change the windows of many streams. Large DATA frames do not count, because little work is
 * needed for what is read at once. Nothing is parsed while too many answers wait for a peer that
 * does not read them (CVE-2019-9512, CVE-2019-9515): answers are PING and SETTINGS
 * acknowledgements, resets and header lists. Waiting DATA does not stop parsing; otherwise two
 * peers that both send could wait for each other.
 */
final class Intake {
  /**
   * The most frames that one stream may make this side write, apart from DATA: headers, trailers
   * and a reset; and one more, so that streams alone never close a connection.
   */
  private static final long REPLIES_OF_A_STREAM = 4;

  /**
   * The share of a pass, and by how much it grows: before more frames, the driver looks at the
   * time.
   */
  private static final int SHARE_FRAMES = 64;

  /**
   * This many bytes of a header block count as one frame: they may contain as many fields as a few
   * frames are work.
   */
  private static final int BLOCK_BYTES_PER_FRAME = 512;

  /** Changing this many windows is about as much work as processing a frame. */
  private static final int WINDOWS_PER_FRAME = 8;

  /** DATA frames of this size or more cost little more than the memory they are read into. */
  private static final int UNCOUNTED_BYTES = 8 << 10;

  private final WorkLimits limits;
  private final long repliesBeforeClose;
  private final ByteSink sink;
  private int shareFrames;
  private int frames;
  private int streams;
  private int replies;
  private boolean last;

  Intake(Limits limits, ByteSink sink) {
    this.limits = limits.work();
    this.repliesBeforeClose =
        Math.max(
            limits.work().repliesBeforeClose(),
            REPLIES_OF_A_STREAM * limits.maxConcurrentStreams());
    this.sink = sink;
    this.shareFrames = firstShare();
  }

  private int firstShare() {
    return Math.min(SHARE_FRAMES, limits.framesPerPass());
  }

  void onRead() {
    tryForgetReplies();
  }

  void endPass() {
    shareFrames = firstShare();
    frames = 0;
    streams = 0;
  }

  /** Lets this pass parse more frames; false if they are not what ended it, or are too many. */
  boolean tryExtendPass() {
    int most = (int) Math.min(limits.framesPerPass(), (long) shareFrames + SHARE_FRAMES);
    if (frames < shareFrames || frames >= most) {
      return false;
    }
    shareFrames = most;
    return true;
  }

  /** The connection is closed: what is left is parsed, and its answers need not be sent. */
  void onLast() {
    last = true;
  }

  void onFrame() {
    frames++;
  }

  /** Part of a header block arrived: a long one is more work than its frame. */
  void onBlock(int bytes) {
    frames += bytes / BLOCK_BYTES_PER_FRAME;
  }

  /** A frame changed the windows of this many streams. */
  void onWindows(int streams) {
    frames += streams / WINDOWS_PER_FRAME;
  }

  void onData(int payloadBytes) {
    if (payloadBytes < UNCOUNTED_BYTES) {
      frames++;
    }
  }

  void onNewStream() {
    streams++;
  }

  /**
   * Counts an answer; false if the peer has left so many unread that the connection must be closed.
   */
  boolean onReply() {
    return ++replies < repliesBeforeClose || tryForgetReplies();
  }

  /** How many unread answers close the connection. */
  long mostReplies() {
    return repliesBeforeClose;
  }

  /** Returns whether the next frame may be parsed in this pass; see {@link #checkBlocked}. */
  boolean checkOpen() {
    boolean hasShare = frames < shareFrames && streams < limits.streamsPerPass();
    return (hasShare || last) && !checkBlocked();
  }

  /**
   * Returns whether nothing is parsed until the sink accepts more. If it does already, the answers
   * are forgotten.
   */
  boolean checkBlocked() {
    return replies >= limits.repliesBeforePause() && !tryForgetReplies();
  }

  /** Forgets the answers if the sink accepts more, because it has sent them; false if not. */
  private boolean tryForgetReplies() {
    boolean sent = last || sink.wantsMore();
    if (sent) {
      replies = 0;
    }
    return sent;
  }
}
