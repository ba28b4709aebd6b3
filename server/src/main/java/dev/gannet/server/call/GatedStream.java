package dev.gannet.server.call;

import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerStream;

/**
 * The stream of a call that needs an admission to go to its handler. {@link IncomingCall} asks it;
 * the streams of other calls are not asked.
 */
public abstract class GatedStream<R> extends ForwardingServerStream<R> {
  /** Wraps a stream that is not gated itself: only one gate is asked for each call. */
  public GatedStream(ServerStream<R> stream) {
    super(stream);
    if (stream instanceof GatedStream) {
      throw new IllegalArgumentException("the stream is gated already");
    }
  }

  /**
   * Whether the handler may start: its request is complete, or is a stream, and the call was not
   * cancelled. Asked once, on the connection's loop.
   */
  protected abstract CallAdmission admit();

  /** The call has ended before its handler has answered. On the connection's loop. */
  protected abstract void cutOff();
}
