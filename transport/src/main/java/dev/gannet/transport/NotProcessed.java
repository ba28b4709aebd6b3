package dev.gannet.transport;

/** How much of a call was sent that its server has not processed (gRFC A6, transparent retries). */
public enum NotProcessed {
  /** Nothing of it was sent: it may be tried elsewhere as often as there is a connection. */
  NOT_SENT,

  /**
   * The server's HTTP/2 layer refused it before the application saw it: it may be tried once more.
   */
  REFUSED
}
