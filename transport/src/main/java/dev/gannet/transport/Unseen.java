package dev.gannet.transport;

/** How far a call came whose server has not seen it (gRFC A6, transparent retries). */
public enum Unseen {
  /** Nothing of it was sent: it may be tried elsewhere as often as there is a connection. */
  NOT_SENT,

  /**
   * The server's HTTP/2 layer let it go before the application saw it: it may be tried once more.
   */
  NOT_PROCESSED
}
