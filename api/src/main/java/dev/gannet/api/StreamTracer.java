package dev.gannet.api;

/**
 * Sees what one stream carries, on either side: headers, messages, and the end. The common part of
 * {@link ClientStreamTracer} and {@link ServerStreamTracer}.
 *
 * <p>Every method does nothing unless it is overridden, and more may be added. They are called one
 * at a time, on the connection's event loop as a rule, so they must be quick and must not block.
 * {@link #onEnd} comes exactly once and last, whatever happens to the call. What a tracer throws is
 * logged, and changes nothing for the call.
 *
 * <p>Metadata belongs to the call: read it before the method returns, and do not change it.
 */
public interface StreamTracer {
  /** The headers of this side go to the network; not called where trailers are all that is sent. */
  default void onHeadersSent(Metadata headers) {}

  /**
   * A message goes to the network.
   *
   * @param sequence 0 for the first message that this stream sends, and so on
   * @param wireBytes its size on the network, compressed if it is, without the five bytes of gRPC's
   *     message prefix
   * @param messageBytes its size before compression
   */
  default void onMessageSent(int sequence, long wireBytes, long messageBytes) {}

  /**
   * A message has arrived, whole. It may still wait for the application to ask for it.
   *
   * @param sequence 0 for the first message that this stream receives, and so on
   * @param wireBytes as for {@link #onMessageSent}
   * @param messageBytes its size once it is decompressed, which the message itself states. A false
   *     size ends the call when the message is read; an impossible one is given as 0
   */
  default void onMessageReceived(int sequence, long wireBytes, long messageBytes) {}

  /**
   * The stream has ended.
   *
   * @param trailers what came, or went, with the status; empty where there were none
   */
  default void onEnd(Status status, Metadata trailers) {}
}
