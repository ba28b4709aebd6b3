package dev.gannet.api;

/**
 * Sees the content of one stream, on either side: headers, messages, and the end. The common part
 * of {@link ClientStreamTracer} and {@link ServerStreamTracer}.
 *
 * <p>By default every method does nothing. They are called one at a time, usually on the
 * connection's event loop, so they must be quick and must not block. {@link #onEnd} is called
 * exactly once and last in all cases. Exceptions of a tracer are logged and do not affect the call.
 *
 * <p>Metadata belongs to the call: read it before the method returns, and do not change it. For
 * applications to implement; new methods will have a default.
 */
public interface StreamTracer {
  /**
   * This side's headers are written to the network; not called if only trailers are sent. Those of
   * {@link CallCredentials} are sent, too, but not shown to tracers: they are secret.
   */
  default void onHeadersSent(Metadata headers) {}

  /**
   * A message is written to the network.
   *
   * @param sequence 0 for the first message that this stream sends, and so on
   * @param wireBytes its size on the network, after compression, without the five bytes of gRPC's
   *     message prefix
   * @param messageBytes its size before compression
   */
  default void onMessageSent(int sequence, long wireBytes, long messageBytes) {}

  /**
   * A complete message has arrived. It may still wait until the application requests it.
   *
   * @param sequence 0 for the first message that this stream receives, and so on
   * @param wireBytes as for {@link #onMessageSent}
   * @param messageBytes its decompressed size as stated by the message. If it is wrong, the call
   *     fails when the message is read; if it is impossible, it is reported as 0
   */
  default void onMessageReceived(int sequence, long wireBytes, long messageBytes) {}

  /**
   * The stream has ended.
   *
   * @param trailers the trailers that were received or sent with the status; empty if there were
   *     none
   */
  default void onEnd(Status status, Metadata trailers) {}
}
