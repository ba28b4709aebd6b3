package dev.gannet.server.call;

/**
 * The state of a call for its handler: whether the handler has ended it, and whether it was
 * cancelled. The handler changes it by answering or failing, the connection's loop by the end of
 * the stream. How far the response was written is the transport's to know.
 *
 * <pre>
 *               answered                the response was written
 *      OPEN ──────────────► ANSWERED ────────────────────────► COMPLETED
 *       │ │                    │                                   │
 *       │ └──the handler───────┴──► FAILED ──the stream ended─────►│
 *       │    has failed, or                                        │
 *       │    the call is ended                                     ▼
 *       └──cut off──► CANCELLED ──the handler answers or fails──► OVER
 * </pre>
 *
 * <p>A handler may throw after it has closed the call; so ANSWERED and COMPLETED can become FAILED
 * and OVER, too. A response that is cut off while it is written ends in OVER.
 */
enum HandlerCallState {
  /** The peer waits for a response. */
  OPEN,
  /** The handler's response is queued. */
  ANSWERED,
  /** The handler's response was written. */
  COMPLETED,
  /**
   * The handler has failed, or an interceptor has ended the call: this is sent to the peer, and
   * what the handler still sends is ignored.
   */
  FAILED,
  /** Ended by the peer, the deadline or a lost connection; the handler has not answered yet. */
  CANCELLED,
  /** The call has ended for both sides, and counts as cancelled. */
  OVER;

  /** The handler closes the call. */
  HandlerCallState answered() {
    return switch (this) {
      case OPEN -> ANSWERED;
      case CANCELLED -> OVER;
      case ANSWERED, COMPLETED, FAILED, OVER -> this;
    };
  }

  /** The handler throws. */
  HandlerCallState failed() {
    return switch (this) {
      case OPEN, ANSWERED, FAILED -> FAILED;
      case COMPLETED, CANCELLED, OVER -> OVER;
    };
  }

  /** The response was written. */
  HandlerCallState delivered() {
    return switch (this) {
      case OPEN, ANSWERED, COMPLETED -> COMPLETED;
      case FAILED, CANCELLED, OVER -> OVER;
    };
  }

  /** The stream ended before the handler's response was written. */
  HandlerCallState cutOff() {
    return switch (this) {
      case OPEN, CANCELLED -> CANCELLED;
      case ANSWERED, COMPLETED, FAILED, OVER -> OVER;
    };
  }

  /** Whether a response was given. */
  boolean isAnswered() {
    return this != OPEN && this != CANCELLED;
  }

  /** Whether the handler's output is ignored. */
  boolean isCancelled() {
    return this == FAILED || this == CANCELLED || this == OVER;
  }

  /** Whether the stream has ended. */
  boolean isEnded() {
    return this == COMPLETED || this == CANCELLED || this == OVER;
  }
}
