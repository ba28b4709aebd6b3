package dev.gannet.transport.http2;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;

/** The listener of a server's stream after its request has arrived. On the connection's loop. */
sealed interface ReceivedRequest permits ServerCallStream, AnsweredRequest {
  /** More of the request arrived; the buffer is valid only during this call. */
  void onData(ByteBuffer bytes);

  /** The client sends no more, with or without trailers. */
  void onEndStream();

  /** The client's trailers exceed the limit and were skipped. */
  void onOversizedTrailers();

  /** This many bytes of the answer's data were written. */
  void onSent(int bytes);

  /** The end of the answer was written. */
  void onEndSent();

  /** The client reset the stream. */
  void onReset(ErrorCode code);

  /** The client broke a rule of HTTP, and the stream was reset for it. */
  void onBroken(Violation.OfStream violation);
}
