package dev.gannet.api.transport;

/**
 * Why a peer has lost a connection, or the stream of a call: the keys of {@code
 * Server.peerFaults()} and {@code ManagedChannel.peerFaults()}. The log has a line with the details
 * of each, as long as there are few. {@code docs/limits.md} lists the limits behind each. Constants
 * may be added.
 */
public enum PeerFault {
  /** A connection above {@code maxConnections} or {@code maxConnectionsPerAddress}. */
  TOO_MANY_CONNECTIONS,

  /** The handshake of TLS or HTTP/2 failed, or took too long. */
  HANDSHAKE_FAILED,

  /** A {@code ServerTransportFilter} refused the connection. */
  REFUSED_BY_FILTER,

  /** The peer violated a rule of HTTP/2 or TLS, which costs the connection. */
  PROTOCOL_VIOLATION,

  /** The peer violated a rule of HTTP/2 or gRPC, which costs only the stream. */
  STREAM_VIOLATION,

  /**
   * The peer exceeded the rate of an {@link Offence}, and loses the connection: {@code
   * Server.offences()} and {@code ManagedChannel.offences()} count of which.
   */
  ABUSE,

  /**
   * PINGs came more often than {@code permitKeepAliveTime} and {@code permitKeepAliveWithoutCalls}
   * allow (gRFC A8), mostly because a client's keepalive is too frequent; it loses the connection.
   */
  TOO_MANY_PINGS,

  /**
   * A header block had more CONTINUATION frames than {@code withMaxContinuationFrames} allows, or
   * an empty one; the peer loses the connection.
   */
  TOO_MANY_CONTINUATIONS,

  /**
   * A header list, encoded or decoded, was more than eight times as large as {@code
   * maxInboundMetadataBytes} or {@code withMaxHeaderFields} allows; the peer loses the connection.
   * A list that is less too large only costs its call ({@link Offence#OVERSIZED_HEADERS}).
   */
  HEADERS_FAR_TOO_LARGE,

  /** A SETTINGS frame had more than 32 entries; the peer loses the connection. */
  SETTINGS_TOO_LONG,

  /**
   * The peer did not read acknowledgements, resets and header lists until there were more of them
   * than {@code withMaxUnreadReplies} allows; it loses the connection.
   */
  UNREAD_REPLIES,

  /** The peer took longer than allowed; it loses the connection. */
  TOO_SLOW,

  /**
   * Too little of {@code memoryBudget} was left, and this connection wasted most of it. It is
   * closed; but where no call was served on it yet, only its calls end the first time.
   */
  MEMORY_EXHAUSTED,

  /**
   * A call was refused before its handler saw it: {@code memoryBudget} was exceeded, and no call
   * was served on the connection yet.
   */
  CALL_WITHOUT_MEMORY,

  /** A request for which there was not enough memory; its call has failed. */
  REQUEST_WITHOUT_MEMORY,

  /** A response was not sent, because the peer does not read those before it. */
  RESPONSES_NOT_READ
}
