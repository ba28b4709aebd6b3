package dev.gannet.api;

/** What a server does with the calls of one method. Safe for all threads. */
@FunctionalInterface
public interface ServerCallHandler<Q, R> {
  /**
   * Begins one call and says who listens to it. The call delivers nothing before this returns, and
   * no request before it was asked for.
   */
  ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers);
}
