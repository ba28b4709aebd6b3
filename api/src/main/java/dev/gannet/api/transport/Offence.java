package dev.gannet.api.transport;

/**
 * Something that costs a peer little and this side much. A peer may do it now and then; one that
 * does it more often than {@link TransportLimits#withOffenceRate} allows loses its connection, with
 * {@code ENHANCE_YOUR_CALM}. {@code docs/limits.md} says what exactly counts, and the default
 * rates.
 *
 * <p>Constants may be added.
 */
public enum Offence {
  /** Streams that the peer resets, or makes this side reset (rapid reset, MadeYouReset). */
  RESET_STREAM,
  /** Streams that are refused through no fault of the peer. */
  UNSERVED_STREAM,
  /** Header lists over their limit, each of which has to be answered. */
  OVERSIZED_HEADERS,
  /** DATA frames without content that do not end a stream. */
  EMPTY_DATA,
  /** DATA frames with next to no content by which no message became complete. */
  TINY_DATA,
  /** WINDOW_UPDATE frames that no DATA of this side accounts for. */
  WINDOW_UPDATE,
  /** SETTINGS frames other than acknowledgements. */
  SETTINGS,
  /** PING frames other than answers. */
  PING,
  /** Frames on streams that are gone, beyond what may have been on its way. */
  LATE_FRAME,
  /** GOAWAY frames. */
  GOAWAY,
  /** PRIORITY frames, which have no meaning any more. */
  PRIORITY,
  /** Frames that change nothing, such as frames of unknown types. */
  WITHOUT_EFFECT,
  /** TLS records without application data once the handshake is over. */
  EMPTY_TLS_RECORD,
  /** TLS records with less application data than the header of a frame. */
  TINY_TLS_RECORD
}
