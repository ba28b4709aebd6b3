package dev.gannet.server;

/**
 * How far a call is, for its handler and for its peer together. The handler moves it by answering
 * or failing, the connection's loop by the end of the stream.
 *
 * <pre>
 *               answered                the answer has left
 *      OPEN ──────────────► ANSWERED ────────────────────────► COMPLETED
 *       │ │                    │                                   │
 *       │ └──the handler───────┴──► FAILED ──the stream ended─────►│
 *       │    has failed                                            ▼
 *       └──cut off──► CANCELLED ──the handler answers or fails──► OVER
 * </pre>
 *
 * <p>A handler may throw what it has closed the call with before; so ANSWERED and COMPLETED become
 * FAILED and OVER, too. An answer that is cut off on its way ends in OVER.
 */
enum CallState {
  /** The peer waits for an answer. */
  OPEN,
  /** The handler's answer is on its way. */
  ANSWERED,
  /** The handler's answer has left. */
  COMPLETED,
  /** The handler has failed: the peer is told so, and what the handler still says is not heard. */
  FAILED,
  /** Cut off by the peer, the deadline or a lost connection; the handler has not answered yet. */
  CANCELLED,
  /** Nobody waits for anything any more, and the call counts as cancelled. */
  OVER;

  /** The handler closes the call. */
  CallState answered() {
    return switch (this) {
      case OPEN -> ANSWERED;
      case CANCELLED -> OVER;
      case ANSWERED, COMPLETED, FAILED, OVER -> this;
    };
  }

  /** The handler throws. */
  CallState failed() {
    return switch (this) {
      case OPEN, ANSWERED, FAILED -> FAILED;
      case COMPLETED, CANCELLED, OVER -> OVER;
    };
  }

  /** The answer has left, whoever gave it. */
  CallState delivered() {
    return switch (this) {
      case OPEN, ANSWERED, COMPLETED -> COMPLETED;
      case FAILED, CANCELLED, OVER -> OVER;
    };
  }

  /** The stream ended before an answer of the handler's had left. */
  CallState cutOff() {
    return switch (this) {
      case OPEN, CANCELLED -> CANCELLED;
      case ANSWERED, COMPLETED, FAILED, OVER -> OVER;
    };
  }

  /** Whether an answer was given. */
  boolean isAnswered() {
    return this != OPEN && this != CANCELLED;
  }

  /** Whether nobody hears the handler any more. */
  boolean isCancelled() {
    return this == FAILED || this == CANCELLED || this == OVER;
  }

  /** Whether the stream has ended. */
  boolean isEnded() {
    return this == COMPLETED || this == CANCELLED || this == OVER;
  }
}
