package dev.gannet.transport.http2;

import dev.gannet.api.Status;

/**
 * What one call holds of the data that arrived, as {@link ReceiveAccounting} sees it. Confined to
 * the connection's loop.
 */
interface HeldMessages {
  /** How much memory the process has left for messages. */
  enum Memory {
    ENOUGH,
    SCARCE
  }

  /** Whether an incomplete message goes on, as far as checks in a row can tell. */
  enum Progress {
    GOES_ON,
    /** Too little has arrived since the last check, although it could have. */
    STOPPED,
    /** The message had stopped at the last check as well. */
    STANDS_STILL
  }

  /** How many bytes kept windows closed when they were last counted. */
  int heldBytes();

  /** The number of bytes that have arrived of an incomplete message. */
  int partBytes();

  /**
   * Whether a reader waits for an incomplete message, and only the missing bytes of that message
   * delay it.
   */
  boolean waitsForItsRestAlone();

  /**
   * Counts again what the call holds, and asks its reader for a signal when the call holds nothing
   * more.
   */
  void countAnew();

  /**
   * Lets the peer send as many bytes again as it has sent, unless too many of them still wait for
   * their reader.
   */
  void giveWindowBack();

  /** There is memory for a message that had to wait. */
  void resume();

  /**
   * Checks whether anything has arrived since the last check.
   *
   * @param windowOpen whether the connection lets data arrive
   */
  Progress checkProgress(boolean windowOpen, Memory memory);

  /** What waits does not count any more; its reader may still take it. */
  void countNoMore();

  /** Ends the call because its peer does not complete a message. */
  void giveUp(Status why);
}
