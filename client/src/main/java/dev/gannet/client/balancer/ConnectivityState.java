package dev.gannet.client.balancer;

/**
 * Where a channel or subchannel stands (gRPC Connectivity Semantics).
 *
 * <pre>
 *   IDLE ──call, connect──► CONNECTING ──► READY
 *    ▲                       │    ▲          │
 *    │                       ▼    │backoff   │
 *    ├──backoff── TRANSIENT_FAILURE          │
 *    └──────────── connection lost ──────────┘
 *
 *   any ──shutdown──► SHUTDOWN
 * </pre>
 */
public enum ConnectivityState {
  /** No connection, and nobody has asked for one. */
  IDLE,
  /** A connection is being made; calls wait. */
  CONNECTING,
  /** Calls go out at once. */
  READY,
  /** No connection could be made; calls fail unless they wait for ready. */
  TRANSIENT_FAILURE,
  /** Shut down for good. */
  SHUTDOWN
}
