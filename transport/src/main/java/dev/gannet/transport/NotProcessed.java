package dev.gannet.transport;

/** How much was sent of a call that the server has not processed (gRFC A6, transparent retries). */
public enum NotProcessed {
  /** Nothing was sent: the call may be tried on other connections, as often as there is one. */
  NOT_SENT,

  /**
   * The server's HTTP/2 layer refused the call before the application saw it: it may be tried once
   * more.
   */
  REFUSED
}
