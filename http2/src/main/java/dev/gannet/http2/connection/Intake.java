package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WorkLimits;

/**
 * How much of what the peer sends is looked at now.
 *
 * <p>A pass is all that is read between the ends of two batches, in however many pieces. It ends
 * when the peer had its share of frames or new streams; the rest waits until others had theirs. A
 * frame that is the work of several counts as several: a long piece of a header block, or SETTINGS
 * that move the windows of many streams. DATA of some size does not count, for what is read at once
 * is little compared to it. And nothing is looked at while too many answers wait for a peer that
 * does not read them (CVE-2019-9512, CVE-2019-9515): answers are PING and SETTINGS
 * acknowledgements, resets and header lists. Data that waits does not stop the intake, or two peers
 * that both send could wait for each other.
 */
final class Intake {
  /**
   * What one stream may make us write at the most, DATA apart: headers, trailers and a reset; and
   * one more, so that streams alone never cost a connection.
   */
  private static final long REPLIES_OF_A_STREAM = 4;

  /** So many octets of a header block may hold as many fields as a few frames are work. */
  private static final int BLOCK_BYTES_PER_FRAME = 512;

  /** To move so many windows is about as much work as to look at a frame. */
  private static final int WINDOWS_PER_FRAME = 8;

  /** DATA from here on costs hardly more than the memory it is read into. */
  private static final int UNCOUNTED_BYTES = 8 << 10;

  private final WorkLimits limits;
  private final long repliesBeforeClose;
  private final ByteSink sink;
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
  }

  void onRead() {
    hasLeft();
  }

  void endPass() {
    frames = 0;
    streams = 0;
  }

  /** The wire is gone: what is left is looked at, and its answers wait for nobody. */
  void onLast() {
    last = true;
  }

  void onFrame() {
    frames++;
  }

  /** Part of a header block came: a long one is more work than the frame it is in. */
  void onBlock(int bytes) {
    frames += bytes / BLOCK_BYTES_PER_FRAME;
  }

  /** A frame moved the windows of so many streams. */
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

  /** Counts an answer; false if the peer has left so many unread that the connection must end. */
  boolean onReply() {
    return ++replies < repliesBeforeClose || hasLeft();
  }

  /** Whether the next frame is to be looked at in this pass. */
  boolean isOpen() {
    boolean hasShare = frames < limits.framesPerPass() && streams < limits.streamsPerPass();
    return (hasShare || last) && !isBlocked();
  }

  /** Whether nothing is looked at until the wire takes more. */
  boolean isBlocked() {
    return replies >= limits.repliesBeforePause() && !hasLeft();
  }

  /** Answers that the wire took count no more. */
  private boolean hasLeft() {
    boolean left = last || sink.wantsMore();
    if (left) {
      replies = 0;
    }
    return left;
  }
}
