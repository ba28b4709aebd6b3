package dev.gannet.transport;

import dev.gannet.api.MethodDescriptor;

/**
 * A method that a server serves, as its transports see it. Immutable, and safe for all threads.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ServerMethod<Q, R> {
  MethodDescriptor<Q, R> descriptor();

  /** What its calls may send, and how long they may last. Always the same. */
  default CallLimits limits() {
    return CallLimits.DEFAULT;
  }

  /**
   * Takes a call of this method, and says where its events go; on the connection's thread, so it
   * must not block. The transport flushes them at once, for streaming handlers begin with the
   * headers. Where the client sends one message, the transport lets no second one through.
   */
  CallEvents begin(ServerStream<R> stream);
}
