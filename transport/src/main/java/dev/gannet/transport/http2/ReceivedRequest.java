package dev.gannet.transport.http2;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;

/** Who listens on a stream of a server, once its request has come. On the connection's loop. */
sealed interface ReceivedRequest permits ServerCallStream, RejectedRequest {
  /** More of the request; the bytes are good during this call only. */
  void onData(ByteBuffer bytes);

  /** The client sends no more, with trailers or without. */
  void onEndStream();

  /** The client's trailers are over the limit and were read over. */
  void onOversizedTrailers();

  /** So many bytes of the answer's data were written. */
  void onSent(int bytes);

  /** The end of the answer was written. */
  void onEndSent();

  /** The client reset the stream. */
  void onReset(ErrorCode code);

  /** The client broke a rule of HTTP, and the stream was reset for it. */
  void onBroken(Violation.OfStream violation);
}
