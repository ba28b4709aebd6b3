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

  /**
   * The longest request message taken, after decompression, in bytes.
   *
   * @param ofServer what holds for methods that have no limit of their own
   */
  default int maxInboundMessageBytes(int ofServer) {
    return ofServer;
  }

  /**
   * How long a call may last, whatever its client says.
   *
   * @param ofServer what holds for methods that have no limit of their own
   */
  default long maxCallNanos(long ofServer) {
    return ofServer;
  }

  /**
   * Takes a call of this method, and says where its events go; on the connection's thread, so it
   * must not block. The transport flushes them at once, for streaming handlers begin with the
   * headers. Where the client sends one message, the transport lets no second one through.
   */
  CallEventListener begin(ServerStream<R> stream);
}
