package dev.gannet.api.transport;

/**
 * An action that is cheap for a peer and expensive for this side. A peer may do it occasionally; if
 * it exceeds the rate of {@link TransportLimits#withOffenceRate}, its connection is closed with
 * {@code ENHANCE_YOUR_CALM}. {@code docs/limits.md} describes exactly what counts, and the default
 * rates. {@code Server.offences()} and {@code ManagedChannel.offences()} count the connections that
 * were closed.
 *
 * <p>Constants may be added.
 */
public enum Offence {
  /** Streams that the peer resets, or makes this side reset (rapid reset, MadeYouReset). */
  RESET_STREAM,
  /** Streams that are refused although the peer did nothing wrong. */
  UNSERVED_STREAM,
  /** Header lists over their limit, each of which has to be answered. */
  OVERSIZED_HEADERS,
  /** DATA frames without content that do not end a stream. */
  EMPTY_DATA,
  /** DATA frames with almost no content that do not complete a message. */
  TINY_DATA,
  /** WINDOW_UPDATE frames beyond what the DATA frames of this side justify. */
  WINDOW_UPDATE,
  /** SETTINGS frames other than acknowledgements. */
  SETTINGS,
  /** PING frames other than answers. */
  PING,
  /** Frames on closed streams, beyond what may have been on its way. */
  LATE_FRAME,
  /** GOAWAY frames. */
  GOAWAY,
  /** PRIORITY frames, which are obsolete. */
  PRIORITY,
  /** Frames that change nothing, such as frames of unknown types. */
  WITHOUT_EFFECT,
  /** TLS records without application data after the handshake. */
  EMPTY_TLS_RECORD,
  /** TLS records with less application data than a frame header. */
  TINY_TLS_RECORD
}
