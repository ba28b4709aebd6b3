package dev.gannet.http2;

/**
 * What a peer can have too much of, besides the rates of {@link AbuseKind}: one is enough to close
 * the connection.
 */
public enum Excess {
  /** PINGs more often than gRFC A8 allows. */
  PINGS,
  /** More CONTINUATION frames in a header block than allowed, or an empty one (CVE-2023-45288). */
  CONTINUATIONS,
  /** A header block or list that is {@link HeaderLimits#FAR_OVER} times as large as allowed. */
  HEADERS,
  /** Too many entries in one SETTINGS frame. */
  SETTINGS_ENTRIES,
  /** Acknowledgements, resets and header lists of this side that the peer does not read. */
  UNREAD_REPLIES
}
