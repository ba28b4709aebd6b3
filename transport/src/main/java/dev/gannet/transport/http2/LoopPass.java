package dev.gannet.transport.http2;

import dev.gannet.transport.pipe.Pipe;
import java.time.Duration;

/**
 * What a connection's loop is doing: whether it processes a batch, since when it has parsed what
 * arrived in one pass, and how much. Confined to the loop.
 *
 * <pre>
 *   IDLE ──bytes: begin; other work: enter──► IN_BATCH ──end──► IDLE
 * </pre>
 *
 * <p>A batch without received bytes is measured from the pass before it, like the calls of that
 * pass.
 */
final class LoopPass {
  /** A pass that has taken less than this may go on although other connections may wait. */
  static final long SHORT_PASS_NANOS = 100_000;

  /** After parsing this many bytes, the loop checks how long that took. */
  private static final int CHECK_BYTES = 32 << 10;

  /** A pass that has taken this long parses nothing more itself. */
  static final long LONG_PASS_NANOS = Duration.ofMillis(1).toNanos();

  private final Pipe pipe;
  private boolean inBatch;
  private long beganNanos;
  private int parsedBytes;
  private boolean isLong;

  /** A pass by the pipe's clock, which has not begun. */
  LoopPass(Pipe pipe) {
    this.pipe = pipe;
  }

  /** A pass begins with bytes that are parsed from now on. */
  void begin(long nowNanos) {
    inBatch = true;
    beganNanos = nowNanos;
    parsedBytes = 0;
    isLong = false;
  }

  /** A batch begins, unless the loop is in one. */
  void enter() {
    inBatch = true;
  }

  /** The batch has ended. */
  void end() {
    inBatch = false;
  }

  /** Whether the loop will process all mail without being woken, because it is in a batch. */
  boolean isInBatch() {
    return inBatch;
  }

  /** Whether the pass has taken so little time that it may go on. */
  boolean isShort() {
    return pipe.nanoTime() - beganNanos < SHORT_PASS_NANOS;
  }

  /** The beginning of the pass whose bytes are being parsed, in nanoseconds. */
  long beganNanos() {
    return beganNanos;
  }

  /**
   * Admits a message of that size to be parsed in this pass; returns false if earlier messages have
   * taken so long that other connections wait.
   */
  boolean admit(int bytes) {
    parsedBytes += bytes;
    if (parsedBytes >= CHECK_BYTES) {
      parsedBytes = 0;
      isLong = pipe.nanoTime() - beganNanos > LONG_PASS_NANOS;
    }
    return !isLong;
  }
}
