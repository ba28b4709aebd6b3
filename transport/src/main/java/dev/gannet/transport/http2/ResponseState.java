package dev.gannet.transport.http2;

import dev.gannet.api.Status;

/**
 * How far the response of a server's call has come to its end on the wire. What the handler has
 * done so far is the engine's to know.
 *
 * <pre>
 *   OPEN ──the handler's OK───────► ANSWERING ──written──► ENDED ──handler has ended──► GONE
 *    ├────the handler's failure──► FAILING ─────written─────▲
 *    ├────a status of ours───────► REFUSING ────written─────┤
 *    └────reset, connection lost────────────────────────────┘
 * </pre>
 *
 * <p>A deadline that passes while the end is being written makes any state before ENDED REFUSING.
 * The engine learns of the end when the call becomes REFUSING or ENDED, whichever is first.
 */
enum ResponseState {
  /** The handler may answer. */
  OPEN,
  /** The handler has answered: what it sent is being written. */
  ANSWERING,
  /** The handler has failed: its status is being written. */
  FAILING,
  /** A status of the library is being written, and the engine was notified of the end. */
  REFUSING,
  /** Nothing more is written, and the engine was notified of the end. The handler may still run. */
  ENDED,
  /** The handler has ended as well: the call takes no slot and no memory. */
  GONE;

  /** Whether the end is being written. */
  boolean isEnding() {
    return this == ANSWERING || this == FAILING || this == REFUSING;
  }

  /** Whether the engine was notified of the end. */
  boolean isEngineNotified() {
    return this == REFUSING || isOver();
  }

  /** Whether nothing more is written. */
  boolean isOver() {
    return this == ENDED || this == GONE;
  }

  /** The handler ends the call with this status, if the call is open. */
  ResponseState onHandlersStatus(Status status) {
    if (this != OPEN) {
      return this;
    }
    return status.isOk() ? ANSWERING : FAILING;
  }

  /** The library ends the call with a status that is still to be written. */
  ResponseState onRefusal() {
    return isOver() ? this : REFUSING;
  }

  /** Nothing more is written. */
  ResponseState onEnd() {
    return isOver() ? this : ENDED;
  }

  /** The handler has ended, now or before. */
  ResponseState onHandlerGone() {
    return this == ENDED ? GONE : this;
  }
}
