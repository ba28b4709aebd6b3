package dev.gannet.transport.http2;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.pipe.Pipe;

/**
 * How this side closes a connection: a GOAWAY is sent once, and then the pipe is closed, first with
 * patience for a peer that reads slowly, later perhaps without. Confined to the connection's loop.
 *
 * <pre>
 *   OPEN ──close, sendGoAway──► GOAWAY_SENT ──closeSoon, closeAfterFailure──► CLOSING_SOON
 *     └────────────────────closeSoon, closeAfterFailure───────────────────────────▲
 * </pre>
 */
final class ConnectionClosing {
  private enum State {
    OPEN,
    /** The connection has sent its last GOAWAY; the pipe may already be closing. */
    GOAWAY_SENT,
    /** The pipe is closed even if the peer does not read. */
    CLOSING_SOON
  }

  private final Http2Connection connection;
  private final Pipe pipe;
  private State state = State.OPEN;

  ConnectionClosing(Http2Connection connection, Pipe pipe) {
    this.connection = connection;
    this.pipe = pipe;
  }

  /** Whether the connection still has due times: it has sent no last GOAWAY. */
  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Sends a GOAWAY and closes the pipe once that is sent. */
  void close(ErrorCode code, String why) {
    if (sendGoAway(code, why)) {
      pipe.close();
    }
  }

  /**
   * Like {@link #close}, but does not wait for a peer that does not read, even if the pipe is
   * already being closed with patience.
   */
  void closeSoon(ErrorCode code, String why) {
    sendGoAway(code, why);
    closePipeSoon();
  }

  /** Closes without another frame: the connection has already sent its GOAWAY. */
  void closeAfterFailure() {
    if (state == State.OPEN) {
      state = State.GOAWAY_SENT;
      pipe.flush();
    }
    closePipeSoon();
  }

  /** Sends the GOAWAY; false if it was already sent and the pipe is being closed. */
  boolean sendGoAway(ErrorCode code, String why) {
    if (state != State.OPEN) {
      return false;
    }
    state = State.GOAWAY_SENT;
    connection.goAway(code, why);
    pipe.flush();
    return true;
  }

  private void closePipeSoon() {
    if (state != State.CLOSING_SOON) {
      state = State.CLOSING_SOON;
      pipe.closeSoon();
    }
  }
}
