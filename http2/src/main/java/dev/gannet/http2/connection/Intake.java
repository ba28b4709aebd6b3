package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.WorkLimits;

/**
 * How much of what the peer sends is looked at now.
 *
 * <p>A pass ends when the peer had its share of frames or new streams; the rest waits until others
 * had theirs. And nothing is looked at while too many answers wait for a peer that does not read
 * them (CVE-2019-9512, CVE-2019-9515): answers are PING and SETTINGS acknowledgements, resets and
 * header lists. Data that waits does not stop the intake, or two peers that both send could wait
 * for each other.
 */
final class Intake {
  private final WorkLimits limits;
  private final ByteSink sink;
  private int frames;
  private int streams;
  private int replies;

  Intake(WorkLimits limits, ByteSink sink) {
    this.limits = limits;
    this.sink = sink;
  }

  void beginPass() {
    frames = 0;
    streams = 0;
    hasLeft();
  }

  void onFrame() {
    frames++;
  }

  void onNewStream() {
    streams++;
  }

  /** Counts an answer; false if the peer has left so many unread that the connection must end. */
  boolean onReply() {
    return ++replies < limits.repliesBeforeClose() || hasLeft();
  }

  /** Whether the next frame is to be looked at in this pass. */
  boolean isOpen() {
    return frames < limits.framesPerPass() && streams < limits.streamsPerPass() && !isBlocked();
  }

  /** Whether nothing is looked at until the wire takes more. */
  boolean isBlocked() {
    return replies >= limits.repliesBeforePause() && !hasLeft();
  }

  /** Answers that the wire took count no more. */
  private boolean hasLeft() {
    boolean left = sink.wantsMore();
    if (left) {
      replies = 0;
    }
    return left;
  }
}
