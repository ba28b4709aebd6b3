package dev.gannet.http2.connection;

/**
 * How many WINDOW_UPDATE frames a peer may send, given what it was sent. A peer that has none left
 * opens windows without need, or by a few bytes at a time, which makes this side send many small
 * frames.
 *
 * <p>Every stream and every frame of DATA earns some, except a frame that is short only because the
 * window was almost closed. Peers that answer each frame with an update for the stream and one for
 * the connection always have enough, however short the messages of this side are.
 */
final class UpdateAllowance {
  private static final int PER_FRAME = 4;

  /** This many are free at first, for windows that are opened wide. */
  private static final int AT_FIRST = 16;

  /** As many as honest peers may have on their way while this side is paused. */
  private static final int MAX = 1 << 16;

  /** A smaller frame earns nothing, unless it contains all that there was to send. */
  private static final int TINY_BYTES = 256;

  private int left = AT_FIRST;

  /** A stream was opened, by either side. */
  void onStream() {
    earn();
  }

  /** A frame of DATA was sent, and that much is still queued on its stream. */
  void onData(int bytes, long queuedBytes) {
    if (bytes >= TINY_BYTES || queuedBytes == 0) {
      earn();
    }
  }

  private void earn() {
    left = Math.min(MAX, left + PER_FRAME);
  }

  /** Counts an update; returns whether it was earned. */
  boolean spend() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
