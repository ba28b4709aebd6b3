package dev.gannet.transport.http2;

/**
 * What becomes of the messages that still wait for their reader when a call ends. If a call ends in
 * several steps, the last one of their constants here holds.
 */
enum Unread {
  /**
   * A client's call that its server has ended: its reader may go on, so they count as long as it
   * does.
   */
  LEFT_TO_READER,

  /**
   * A server's call that is reset, or that the library ends: nobody will read them, but they take
   * memory until the handler has returned. They do not block receiving for other calls, unless they
   * are much.
   */
  HELD_BY_HANDLER,

  /** Nobody reads any more: they are not parsed, and do not count. */
  DROPPED
}
