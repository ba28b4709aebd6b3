package dev.gannet.api;

/** Handles the calls of one method. Safe for all threads. */
@FunctionalInterface
public interface ServerCallHandler<Q, R> {
  /**
   * Starts one call and returns its listener. Nothing is delivered before this method returns, and
   * no request before it was requested.
   */
  ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers);

  /**
   * Whether the handler blocks inside its call until its peer does something, as blocking methods
   * with a stream do. Such a handler never runs on an event loop, even with {@link
   * Dispatch#inline()}. A handler that wraps another one returns its value; {@link
   * ServerMethodDefinition#withHandler} keeps the value of the handler before.
   */
  default boolean waitsForPeer() {
    return false;
  }
}
