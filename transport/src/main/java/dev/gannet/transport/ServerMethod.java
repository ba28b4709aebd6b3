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
   * The longest request message that is accepted, after decompression, in bytes.
   *
   * @param ofServer the server's limit, for methods that have no limit of their own
   */
  default int maxInboundMessageBytes(int ofServer) {
    return ofServer;
  }

  /**
   * The longest time that a call may last, whatever deadline its client sets.
   *
   * @param ofServer the server's limit, for methods that have no limit of their own
   */
  default long maxCallNanos(long ofServer) {
    return ofServer;
  }

  /**
   * Accepts a call of this method, and returns the listener for its events. It runs on the
   * connection's thread, so it must not block. The transport delivers the events at once, because
   * streaming handlers start when the headers arrive. If the client sends a single message, the
   * transport rejects a second one.
   */
  CallEventListener begin(ServerStream<R> stream);
}
