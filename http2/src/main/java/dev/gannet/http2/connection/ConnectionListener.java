package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a connection. Called on the driver's thread, from within the connection's
 * methods.
 */
public interface ConnectionListener {
  /**
   * A well-formed header list arrived: a request (which opens the stream), a final response, or
   * trailers.
   */
  void onHeaders(Http2Stream stream, HeaderList headers, EndStream end);

  /** A header list arrived that exceeds the limits; it was skipped and not kept. */
  void onOversizedHeaders(Http2Stream stream, EndStream end);

  /**
   * A new stream of the peer was refused, because as many streams as allowed are open or the
   * connection is being shut down.
   *
   * @param headers the stream's first header list; null if that exceeded the limits
   */
  default void onRefusedStream(@Nullable HeaderList headers) {}

  /**
   * Data arrived. The buffer is valid only during this call; its bytes must be given back with
   * {@code consumed}.
   */
  void onData(Http2Stream stream, ByteBuffer bytes);

  /**
   * A buffer that was given to {@code sendData} belongs to the driver again: it has been written
   * completely, or its rest was copied. Not called for buffers that are dropped with their stream.
   */
  default void onBufferEmpty(Http2Stream stream, ByteBuffer data) {}

  /** The peer ended its side of the stream after DATA. */
  void onEndStream(Http2Stream stream);

  /** The peer reset the stream. No more events follow for it. */
  void onReset(Http2Stream stream, ErrorCode code);

  /**
   * The peer broke a rule and loses a stream, whether or not the driver knows that stream; if it
   * does, {@link #onBroken} was called before. This may be called after {@link #onFailed}: for a
   * stream whose reset was one unread answer too many.
   */
  default void onViolation(Violation.OfStream violation) {}

  /** The stream was reset because the peer broke a rule on it. No more events follow for it. */
  void onBroken(Http2Stream stream, Violation.OfStream violation);

  /**
   * The peer closes the connection and has not processed this stream: it may be retried elsewhere.
   */
  void onUnprocessed(Http2Stream stream);

  /** This many bytes of the stream's queued data have been written. */
  void onDataSent(Http2Stream stream, int bytes);

  /** This side's end of the stream has been written. */
  void onEndSent(Http2Stream stream);

  /** The peer's SETTINGS arrived, the first or later ones. */
  void onSettings();

  /** A PING of this side was answered. */
  void onPingAck(long opaque);

  /**
   * The peer accepts no more streams and has processed none above that id: {@link #onUnprocessed}
   * follows for each of those that is open.
   */
  void onGoAway(int lastStreamId, ErrorCode code, String debug);

  /**
   * The peer broke a rule that closes the connection. The GOAWAY is written; what is left is to
   * flush and close.
   */
  void onFailed(Violation violation);
}
