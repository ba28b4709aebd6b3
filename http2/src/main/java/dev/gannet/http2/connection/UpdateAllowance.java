package dev.gannet.http2.connection;

/**
 * How many WINDOW_UPDATEs a peer has earned by what it was sent. One that has none left opens
 * windows for nothing, or by crumbs, which costs us a frame for each.
 *
 * <p>Every stream and every frame of DATA earns some, but for a frame that only a window of next to
 * nothing made short. Peers that answer each frame with an update for the stream and one for the
 * connection always have enough, however short our messages are.
 */
final class UpdateAllowance {
  private static final int PER_FRAME = 4;

  /** So many are free at first, for windows that are opened wide. */
  private static final int AT_FIRST = 16;

  /** As many as honest peers may have on their way while this side is stopped. */
  private static final int MAX = 1 << 16;

  /** A frame below this is a crumb, unless it holds all that there was to send. */
  private static final int CRUMB_BYTES = 256;

  private int left = AT_FIRST;

  /** A stream was opened, by whichever side. */
  void onStream() {
    earn();
  }

  /** A frame of DATA was sent, and so much is left on its stream. */
  void onData(int bytes, long queuedBytes) {
    if (bytes >= CRUMB_BYTES || queuedBytes == 0) {
      earn();
    }
  }

  private void earn() {
    left = Math.min(MAX, left + PER_FRAME);
  }

  /** Counts an update; whether it was earned. */
  boolean spend() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
