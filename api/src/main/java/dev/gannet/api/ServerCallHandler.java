package dev.gannet.api;

/** What a server does with the calls of one method. Safe for all threads. */
@FunctionalInterface
public interface ServerCallHandler<Q, R> {
  /**
   * Begins one call and says who listens to it. The call delivers nothing before this returns, and
   * no request before it was asked for.
   */
  ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers);

  /**
   * Whether it blocks inside its call until its peer does something, as plain methods do that read
   * or write a stream. Such a handler cannot run on an event loop, and does not where {@link
   * Dispatch#inline()} is asked for. Handlers around others pass on what those say.
   */
  default boolean waitsForPeer() {
    return false;
  }
}
