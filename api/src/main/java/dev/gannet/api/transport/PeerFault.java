package dev.gannet.api.transport;

/**
 * Why a peer has lost a connection, or the stream of a call: the keys of {@code
 * Server.peerFaults()} and {@code ManagedChannel.peerFaults()}. The log has a line with the details
 * of each, as long as there are few. Constants may be added.
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
   * The peer did more of something expensive than the limits allow, for example pings or resets; it
   * loses the connection.
   */
  ABUSE,

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
