package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection tells whoever drives it. Called on the driving thread, from inside the
 * connection's methods.
 */
public interface ConnectionListener {
  /**
   * A well-formed header list arrived: a request (with it the stream is new), a response that is
   * not an interim one, or trailers.
   */
  void onHeaders(Http2Stream stream, HeaderList headers, EndStream end);

  /** A header list arrived that is larger than the limits allow; it was read over and not kept. */
  void onOversizedHeaders(Http2Stream stream, EndStream end);

  /**
   * A new stream of the peer's was refused: there are as many as may be, or the connection drains.
   *
   * @param headers what it began with; null if that was larger than the limits allow
   */
  default void onRefusedStream(@Nullable HeaderList headers) {}

  /**
   * Data arrived; the bytes are good during this call only, and are to be given back with {@code
   * consumed}.
   */
  void onData(Http2Stream stream, ByteBuffer bytes);

  /**
   * A buffer that was given to {@code sendData} is the driver's again: it has been written whole,
   * or the rest of it copied. Not told of buffers that are dropped with their stream.
   */
  default void onBufferEmpty(Http2Stream stream, ByteBuffer data) {}

  /** The peer ended its side of the stream behind DATA. */
  void onEndStream(Http2Stream stream);

  /** The peer reset the stream. Nothing more happens on it. */
  void onReset(Http2Stream stream, ErrorCode code);

  /**
   * The peer broke a rule that costs it a stream, whether or not the driver has heard of that
   * stream; if it has, {@link #onBroken} came before. May come behind {@link #onFailed}: for a
   * stream whose reset was one answer too many that the peer leaves unread.
   */
  default void onViolation(Violation.OfStream violation) {}

  /** The stream was reset because the peer broke a rule on it. Nothing more happens on it. */
  void onBroken(Http2Stream stream, Violation.OfStream violation);

  /** The peer goes away and has not looked at this stream: it may be tried again elsewhere. */
  void onUnprocessed(Http2Stream stream);

  /** That many bytes of the stream's queued data have been written. */
  void onDataSent(Http2Stream stream, int bytes);

  /** This side's end of the stream has been written. */
  void onEndSent(Http2Stream stream);

  /** The peer's settings arrived, the first or others. */
  void onSettings();

  /** A PING of ours was answered. */
  void onPingAck(long opaque);

  /**
   * The peer accepts no more streams, and none above that id were looked at: {@link #onUnprocessed}
   * follows for each of those that is open.
   */
  void onGoAway(int lastStreamId, ErrorCode code, String debug);

  /**
   * The peer broke a rule that costs the connection. GOAWAY is written; what is left is to flush
   * and close.
   */
  void onFailed(Violation violation);
}
