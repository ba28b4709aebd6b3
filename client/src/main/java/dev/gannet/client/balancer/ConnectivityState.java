package dev.gannet.client.balancer;

/**
 * The state of a channel or subchannel (gRPC Connectivity Semantics).
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
  /** There is no connection, and none was requested. */
  IDLE,
  /** A connection is being made; calls wait. */
  CONNECTING,
  /** Calls are sent at once. */
  READY,
  /** No connection could be made; calls fail unless they wait for ready. */
  TRANSIENT_FAILURE,
  /** Shut down for good; calls that were started before may still run. */
  SHUTDOWN
}
